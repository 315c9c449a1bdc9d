#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# halfarrow study on a cluster: the batch files of --slurm with Slurm itself, of one node, whose
# daemons are started here and stopped at the end. A shard that is killed is taken up again.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh"
PATH=$PATH:/usr/sbin:/sbin
for program in slurmctld slurmd sbatch squeue munged; do
    if ! command -v "$program" >/dev/null; then
        echo "skipped: no $program (Debian: slurm-wlm, munge)"
        exit 77
    fi
done
cd "$directory" || exit 1
daemons=()
stop() {
    local id
    for id in "${daemons[@]}"; do
        kill "$id" 2>/dev/null || true
    done
    wait "${daemons[@]}" 2>/dev/null || true
    rm -rf "$directory"
}
trap stop EXIT

skip() {
    echo "skipped: $1"
    tail -n 5 ./*.log 2>/dev/null || true
    exit 77
}

# until COMMAND...: waits for a command to go well, for half a minute
until_well() {
    local i
    for ((i = 0; i < 300; i++)); do
        "$@" >/dev/null 2>&1 && return 0
        sleep 0.1
    done
    return 1
}

# two ports that nobody has
ports=$(python3 -c 'import socket
all = [socket.socket() for _ in range(2)]
for s in all: s.bind(("127.0.0.1", 0))
print(*[s.getsockname()[1] for s in all])')
read -r port other_port <<<"$ports"
user=$(id -un)
node=$(hostname -s)
mkdir -p key state spool
chmod 700 key
head -c 1024 /dev/urandom >key/munge.key
chmod 600 key/munge.key
export SLURM_CONF=$directory/slurm.conf
cat >slurm.conf <<CONF
ClusterName=test
SlurmctldHost=$node(127.0.0.1)
SlurmUser=$user
SlurmdUser=$user
SlurmctldPort=$port
SlurmdPort=$other_port
AuthType=auth/munge
AuthInfo=socket=$directory/munge.socket
CredType=cred/munge
StateSaveLocation=$directory/state
SlurmdSpoolDir=$directory/spool
SlurmctldPidFile=$directory/slurmctld.pid
SlurmdPidFile=$directory/slurmd.pid
SlurmdParameters=config_overrides
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_interval=1
JobAcctGatherType=jobacct_gather/none
ReturnToService=2
InactiveLimit=0
NodeName=$node NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
munged --foreground --force --key-file=key/munge.key --socket="$directory/munge.socket" \
    --pid-file="$directory/munged.pid" --log-file="$directory/munged.file" \
    --seed-file="$directory/munged.seed" >munged.log 2>&1 &
daemons+=($!)
until_well test -S munge.socket || skip "munged does not start"
slurmctld -D -i >slurmctld.log 2>&1 &
daemons+=($!)
until_well scontrol ping || skip "slurmctld does not start"
slurmd -D >slurmd.log 2>&1 &
daemons+=($!)
is_idle() { [ "$(sinfo -h -o %T)" = idle ]; }
until_well is_idle || skip "slurmd does not start"

# the same study here and there, byte for byte
cat >random.yaml <<'STUDY'
design: latin-hypercube
runs: 40
seed: 7
vary:
  parameters.a: {normal: [100 mm, 1 mm]}
  bodies.crank.mass: {uniform: [0.4, 0.6]}
measure: {top: peak(rocker.angle)}
STUDY
model=$(cd "$OLDPWD" && cd "$examples" && pwd)/motor_four_bar.yaml
call 0 study "$model" random.yaml -o one --t-end 0.05
export HALFARROW
done_all() { [ -z "$(squeue -h)" ]; }

call 0 study "$model" random.yaml -o cluster --t-end 0.05 --slurm 4
job=$(sbatch --parsable -o array-%a.out cluster/study.sbatch)
sbatch --parsable -o merge.out --dependency="afterok:$job" cluster/merge.sbatch >/dev/null
until_well done_all || problem "Slurm does not end: $(squeue)"
cmp one/results.csv cluster/results.csv || problem "Slurm changes the table: $(cat ./*.out)"

# a shard that was lost on the way goes on where it was
rm -rf lost
call 0 study "$model" random.yaml -o lost --t-end 0.05 --slurm 2
timeout -s KILL 0.1 "$HALFARROW" study "$model" random.yaml -o lost --t-end 0.05 --shard 1/2 \
    >/dev/null 2>&1 || true
job=$(sbatch --parsable -o lost-%a.out lost/study.sbatch)
scontrol requeue "${job}_1" >/dev/null 2>&1 || true
sbatch --parsable -o merge.out --dependency="afterok:$job" lost/merge.sbatch >/dev/null
until_well done_all || problem "Slurm does not end: $(squeue)"
cmp one/results.csv lost/results.csv || problem "a lost shard changes the table: $(cat ./*.out)"
finish
