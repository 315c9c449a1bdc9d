/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The same mechanisms in Simbody (Sherman, Seth & Delp 2011), as its users would write them.
 *
 * Simbody has relative coordinates: a tree of bodies from the ground out, in each branch as few as
 * there can be, with a pin between body and parent; its accelerations come from a recursion that is
 * linear in the number of bodies. Hinges that the tree leaves out are conditions: their point of
 * the second body is in two planes of the first. The integrator is the one that its documentation
 * recommends. Errors of the conditions are projected away after every step: by default that waits
 * until they are large, and the four-bar row then leaves its branch at the first singular position.
 */
#include "bench/contest.h"

#include <Simbody.h>

#include <cstdio>
#include <deque>
#include <exception>
#include <vector>

using namespace SimTK;

namespace
{

// A scene as a system of Simbody.
class Mechanism
{
  public:
    explicit Mechanism(const scene &s) : scene_(s), matter_(system_), forces_(system_)
    {
        addTree();
        addForces();
        state_ = system_.realizeTopology();
        setStart();
    }

    const MultibodySystem &system() const
    {
        return system_;
    }
    const State &start() const
    {
        return state_;
    }
    void read(const State &state, double *out) const;

  private:
    // The number of a body in Simbody, of the ground too, which is -1 in the scene.
    MobilizedBodyIndex indexOf(int body) const
    {
        return body < 0 ? MobilizedBodyIndex(0) : index_[static_cast<size_t>(body)];
    }

    static Vec3 point(const double at[2])
    {
        return Vec3(at[0], at[1], 0);
    }
    void addTree();
    void addPin(int hinge, int side);
    void addLoop(int hinge);
    void addForces();
    void setStart();

    const scene &scene_;
    MultibodySystem system_;
    SimbodyMatterSubsystem matter_;
    GeneralForceSubsystem forces_;
    std::vector<MobilizedBodyIndex> index_; // of each body of the scene; invalid: not reached
    std::vector<int> order_, parent_;       // bodies outwards; the parent of each body, -1: ground
    State state_;
};

// The body on this side of a hinge goes on the body of the other side.
void Mechanism::addPin(int hinge, int side)
{
    const scene_hinge &h = scene_.hinges[hinge];
    const int child = h.body[side], parent = h.body[1 - side];
    const scene_body &b = scene_.bodies[child];
    MobilizedBody &base = matter_.updMobilizedBody(indexOf(parent));
    Body::Rigid body(MassProperties(b.mass, Vec3(0), Inertia(b.inertia, b.inertia, b.inertia)));
    MobilizedBody::Pin pin(base, Transform(point(h.at[1 - side])), body,
                           Transform(point(h.at[side])));

    index_[static_cast<size_t>(child)] = pin.getMobilizedBodyIndex();
    parent_[static_cast<size_t>(child)] = parent;
    order_.push_back(child);
}

void Mechanism::addLoop(int hinge)
{
    const scene_hinge &h = scene_.hinges[hinge];
    MobilizedBody &first = matter_.updMobilizedBody(indexOf(h.body[0]));
    MobilizedBody &second = matter_.updMobilizedBody(indexOf(h.body[1]));

    Constraint::PointInPlane(first, UnitVec3(XAxis), h.at[0][0], second, point(h.at[1]));
    Constraint::PointInPlane(first, UnitVec3(YAxis), h.at[0][1], second, point(h.at[1]));
}

// Breadth first from the ground; the hinges left over close loops.
void Mechanism::addTree()
{
    const size_t n = static_cast<size_t>(scene_.n_bodies);
    std::vector<std::vector<int>> sides(n + 1); // of each body, last the ground: 2 hinge + side
    std::vector<bool> isPin(static_cast<size_t>(scene_.n_hinges), false);
    std::deque<int> waiting(1, -1);

    index_.resize(n);
    parent_.assign(n, -1);
    for (int i = 0; i < 2 * scene_.n_hinges; i++) {
        const int body = scene_.hinges[i / 2].body[i % 2];
        sides[body < 0 ? n : static_cast<size_t>(body)].push_back(i);
    }
    for (; !waiting.empty(); waiting.pop_front()) {
        const int body = waiting.front();
        for (int i : sides[body < 0 ? n : static_cast<size_t>(body)]) {
            const int hinge = i / 2, other = 1 - i % 2, next = scene_.hinges[hinge].body[other];
            if (next < 0 || indexOf(next).isValid()) {
                continue;
            }
            addPin(hinge, other);
            isPin[static_cast<size_t>(hinge)] = true;
            waiting.push_back(next);
        }
    }
    for (int k = 0; k < scene_.n_hinges; k++) {
        if (!isPin[static_cast<size_t>(k)]) {
            addLoop(k);
        }
    }
}

void Mechanism::addForces()
{
    Force::UniformGravity(forces_, matter_, Vec3(0, -scene_.gravity, 0));
    for (int b = 0; b < scene_.n_bodies; b++) {
        if (scene_.bodies[b].torque != 0) {
            Force::ConstantTorque(forces_, matter_.updMobilizedBody(indexOf(b)),
                                  Vec3(0, 0, scene_.bodies[b].torque));
        }
    }
    for (int k = 0; k < scene_.n_springs; k++) {
        const scene_spring &s = scene_.springs[k];
        Force::TwoPointLinearSpring(forces_, matter_.updMobilizedBody(indexOf(s.body)), point(s.at),
                                    matter_.updGround(), point(s.ground), s.stiffness, s.length);
    }
}

// Relative angles and rates from those of the bodies.
void Mechanism::setStart()
{
    for (int child : order_) {
        const int parent = parent_[static_cast<size_t>(child)];
        const scene_body &b = scene_.bodies[child];
        const MobilizedBody &body = matter_.getMobilizedBody(indexOf(child));
        const double angle = parent < 0 ? 0 : scene_.bodies[parent].place[2];
        const double rate = parent < 0 ? 0 : scene_.bodies[parent].rate[2];
        body.setOneQ(state_, 0, b.place[2] - angle);
        body.setOneU(state_, 0, b.rate[2] - rate);
    }
}

void Mechanism::read(const State &state, double *out) const
{
    system_.realize(state, Stage::Velocity);
    for (int child : order_) {
        const int parent = parent_[static_cast<size_t>(child)];
        const MobilizedBody &body = matter_.getMobilizedBody(indexOf(child));
        const Vec3 place = body.getBodyOriginLocation(state);
        const Vec3 rate = body.getBodyOriginVelocity(state);
        double *q = out + SCENE_BODY_STATE * child;
        q[0] = place[0];
        q[1] = place[1];
        q[2] = body.getOneQ(state, 0) + (parent < 0 ? 0 : out[SCENE_BODY_STATE * parent + 2]);
        q[3] = rate[0];
        q[4] = rate[1];
        q[5] = body.getBodyAngularVelocity(state)[2];
    }
}

int run(const bench_task &task, bench_run &out)
{
    const double deadline = bench_clock() + task.patience;
    const double begin = bench_processor();
    const Mechanism mechanism(*task.scene);
    out.setup = bench_processor() - begin;

    RungeKuttaMersonIntegrator integrator(mechanism.system());
    integrator.setAccuracy(task.tolerance);
    integrator.setFinalTime(task.scene->t_end);
    integrator.setProjectEveryStep(true);
    integrator.setReturnEveryInternalStep(true);
    integrator.initialize(mechanism.start());
    while (integrator.getTime() < task.scene->t_end) {
        integrator.stepTo(task.scene->t_end);
        if (bench_clock() > deadline) {
            return -1;
        }
    }
    out.solve = bench_processor() - begin - out.setup;
    out.steps = integrator.getNumStepsTaken();
    out.evaluations = integrator.getNumRealizations();
    mechanism.read(integrator.getState(), out.state);
    return 0;
}

} // namespace

extern "C" int bench_peer(const bench_task *task, bench_run *out)
{
    try {
        return run(*task, *out);
    } catch (const std::exception &e) {
        std::fprintf(stderr, "Simbody: %s\n", e.what());
        return -1;
    }
}

extern "C" const char *bench_peer_name(void)
{
    static char name[32];
    int major = 0, minor = 0, build = 0;

    SimTK_version_simbody(&major, &minor, &build);
    std::snprintf(name, sizeof name, "simbody %d.%d", major, minor);
    return name;
}
