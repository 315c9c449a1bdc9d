#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# halfarrow study on a cluster: the batch files of --slurm with Slurm itself, of one node, whose
# daemons are started here and stopped at the end. A shard that is killed is taken up again.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit
PATH=$PATH:/usr/sbin:/sbin
for program in slurmctld slurmd sbatch squeue munged; do
    if ! command -v "$program" >/dev/null; then
        echo "skipped: no $program (Debian: slurm-wlm, munge)"
        exit 77
    fi
done
cd "$directory" || exit 1
# shellcheck source=tests/util/study.sh
. "$top_srcdir/tests/util/study.sh" || exit
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

# until_well COMMAND...: waits for a command to go well, as long as all daemons live
until_well() {
    local id
    until "$@" >/dev/null 2>&1; do
        for id in "${daemons[@]}"; do
            kill -0 "$id" 2>/dev/null || return 1
        done
        sleep 0.1
    done
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
is_up() { sinfo -h -o %T | grep -qE '^(idle|down|drain)'; }
until_well is_up || skip "slurmd does not start"
[ "$(sinfo -h -o %T)" = idle ] || skip "the node is $(sinfo -h -o '%T: %E')"

# the same study here and there, byte for byte
call 0 study "$model" random.yaml -o one "${short[@]}"
export HALFARROW
done_all() { # or never will be
    local reasons
    reasons=$(squeue -h -o %r) || return 1
    [ -z "$reasons" ] || grep -qiE 'held|fail|never' <<<"$reasons"
}

call 0 study "$model" random.yaml -o cluster "${short[@]}" --slurm 4
job=$(sbatch --parsable -o array-%a.out cluster/study.sbatch)
sbatch --parsable -o merge.out --dependency="afterok:$job" cluster/merge.sbatch >/dev/null
until_well done_all || problem "Slurm does not end: $(squeue)"
cmp one/results.csv cluster/results.csv || problem "Slurm changes the table: $(cat ./*.out)"

# a shard that was lost on the way goes on where it was
rm -rf lost
call 0 study "$model" random.yaml -o lost "${short[@]}" --slurm 2
kill_at 7 lost/shard-1-of-2.journal study "$model" random.yaml -o lost "${short[@]}" --shard 1/2
job=$(sbatch --parsable -o lost-%a.out lost/study.sbatch)
scontrol requeue "${job}_1" >/dev/null 2>&1 || true
sbatch --parsable -o merge.out --dependency="afterok:$job" lost/merge.sbatch >/dev/null
until_well done_all || problem "Slurm does not end: $(squeue)"
cmp one/results.csv lost/results.csv || problem "a lost shard changes the table: $(cat ./*.out)"
finish
