#!/bin/sh
# Collects what Leadline asks of a MySQL or MariaDB server and of its machine. Written by Leadline {{version}}. Read it, then:
#   sh collect.sh [--seconds={{seconds}}] [--to=FOLDER] [--name=NAME] [--client=PATH] [options of the mysql client]
#   sh collect.sh -S /run/mysqld/mysqld.sock -u root -p
#   sh collect.sh --defaults-file=/root/.my.cnf
# It installs nothing and changes nothing. One session of the mysql client asks what stands below: variables, counters, sizes,
# and no row of a table; files of /proc and /sys are read. Root sees more, and is not needed; the account needs PROCESS, and
# SELECT on performance_schema. A password, key or token, and what looks like one, becomes <hidden> before it is packed, and so
# do statements in InnoDB's status. Names of files, hosts of clients and names of processes are in the archive: look into it
# before you send it. It leaves HOST-collect.tar.gz beside itself, and works in a private folder of TMPDIR until then.
set -u && umask 077 && LC_ALL=C && export LC_ALL
seconds={{seconds}} to='' name=$(uname -n) client='' named=''
for each do
    shift
    case $each in
    --seconds=*) seconds=${each#*=} ;;
    --to=*) to=${each#*=} ;;
    --name=*) name=${each#*=} ;;
    --client=*) client=${each#*=} ;;
    --help) sed '/^set -u/q' "$0" | sed '1d;$d;s/^# \{0,1\}//' && exit 0 ;;
    -S* | --socket* | -h* | --host* | -P* | --port* | --defaults* | --login-path* | --protocol*) named=yes && set -- "$@" "$each" ;;
    *) set -- "$@" "$each" ;;
    esac
done
fail() { echo "collect.sh: $*" >&2 && exit 1; }
name=$(printf '%s' "$name" | tr -cd 'A-Za-z0-9._-')
case $seconds in '' | 0* | *[!0-9]* | ?????*) fail "--seconds takes a number from 1 to 9999, not $seconds" ;; esac
[ -n "$client" ] || for client in mysql mariadb; do command -v "$client" >/dev/null 2>&1 && break; done
command -v "$client" >/dev/null 2>&1 || fail "there is no mysql client here: name one with --client=PATH"
[ -n "$to" ] || case $0 in *.sh) to=$(dirname "$0") ;; *) to=. ;; esac
if [ ! -d "$to" ] || [ ! -w "$to" ]; then fail "nothing can be written to $to: name another folder with --to=FOLDER"; fi
if [ -z "$named" ] && ! "$client" --print-defaults 2>/dev/null | grep -Eq -e '--(socket|host)='; then
    # Nobody says where the server is: the usual sockets, then those that the kernel lists.
    for each in /run/mysqld/mysqld.sock /var/run/mysqld/mysqld.sock /var/lib/mysql/mysql.sock /tmp/mysql.sock \
        $(awk '/(mysql|maria)[^ ]*\.sock$/ { print $NF }' /proc/net/unix 2>/dev/null); do
        [ -S "$each" ] && set -- "$@" "--socket=$each" && break
    done
fi
work=${TMPDIR:-/tmp}/leadline-collect.$$ found=$work/$name-collect
{ mkdir "$work" && mkdir "$found" && : >"$work/answers"; } || fail "no folder can be made in ${TMPDIR:-/tmp}"
trap 'rm -rf "$work"' EXIT && trap 'exit 1' HUP INT TERM && trap '' PIPE
# What is hidden, by a setting's name or its look: a kind, a tab, a pattern; \< and \> are a word's edges, \s is white space.
cat >"$work/list" <<'END'
{{list}}
END
cat >"$work/hide.awk" <<'END'
{{awk}}
END
# What is asked, in sections by their first word; the functions below say when.
cat >"$work/sql" <<'END'
{{sql}}
END
show() { # FOLDER PATTERN...: files there, each by its name, its lines behind a blank
    folder=$1 && shift
    for pattern do for file in "$folder"/$pattern; do
        if [ ! -f "$file" ] || [ ! -r "$file" ]; then continue; fi
        echo "== $file"
        case $file in /proc/sys/*) sed 's/^/ /' "$file" ;; *) # of those shells read one letter
            while IFS= read -r line || [ -n "$line" ]; do printf ' %s\n' "$line"; done <"$file" ;; esac
    done; done
}
limits() { # FILE: what the control groups that it names, and those above them, may use
    while IFS=: read -r _ kind group; do until [ "$group" = . ]; do
        show "/sys/fs/cgroup${kind:+/$kind}${group%/}" memory.max memory.high memory.current memory.swap.max cpu.max cpu.weight \
            cpuset.cpus.effective io.max pids.max pids.current memory.limit_in_bytes memory.usage_in_bytes \
            cpu.cfs_quota_us cpu.cfs_period_us cpuset.effective_cpus
        case $group in '' | /) group=. ;; *) group=${group%/*} ;; esac
    done; done <"$1"
}
host() {
    printf '== @host\n name %s\n arch %s\n system %s\n' "$(uname -n)" "$(uname -m)" "$(uname -s)"
    [ -r /proc/meminfo ] || printf ' memory %s\n processors %s\n' "$(sysctl -n hw.physmem)" "$(sysctl -n hw.ncpu)"
    echo '== /proc/cpuinfo' && sed '/^$/q;s/^/ /' /proc/cpuinfo
    show /proc meminfo swaps version uptime loadavg mdstat diskstats filesystems self/mountinfo self/cgroup self/limits \
        'pressure/*' net/fib_trie net/if_inet6 device-tree/model spl/kstat/zfs/arcstats
    show /proc/sys kernel/osrelease kernel/hostname kernel/numa_balancing kernel/threads-max kernel/pid_max 'fs/aio-*' \
        fs/file-max vm/swappiness vm/nr_hugepages 'vm/dirty_*' 'vm/overcommit_*' vm/zone_reclaim_mode vm/min_free_kbytes \
        vm/vfs_cache_pressure
    show '' etc/os-release usr/lib/os-release run/systemd/container
    show /sys 'kernel/mm/transparent_hugepage/[de]*' hypervisor/type module/zfs/version
    show /sys/class/dmi/id sys_vendor product_name product_version board_vendor board_name bios_vendor bios_version \
        chassis_vendor chassis_asset_tag chassis_type
    show /sys/devices/system 'node/[op]*' 'node/node*/cpulist' 'node/node*/meminfo' cpu/online cpu/possible cpu/smt/active \
        'cpu/cpu*/topology/physical_package_id' 'cpu/cpu*/topology/core_id' 'cpu/cpu0/cpufreq/scaling_[gd]*r' \
        cpu/cpu0/cpufreq/energy_performance_preference cpu/cpu0/cpufreq/cpuinfo_max_freq 'clocksource/clocksource0/*'
    limits /proc/self/cgroup
}
disks() {
    for disk in /sys/class/block/*; do
        size=0 && read -r size <"$disk/size"
        case ${disk##*/}.$size in ram* | *.0) continue ;; esac
        at=$(cd -P "$disk" && pwd -P)
        printf '== @disk %s\n path %s\n' "${disk##*/}" "$at"
        for each in "$disk"/slaves/* "$disk"/mq/*; do
            case $each in */\*) ;; */mq/*) echo " queue ${each##*/}" ;; *) echo " slave ${each##*/}" ;; esac
        done
        until [ -d "$at/msi_irqs" ] || [ "${at%/*}" = /sys/devices ] || [ -z "$at" ]; do at=${at%/*}; done
        for each in "$at"/msi_irqs/*; do
            line='' && read -r line <"/proc/irq/${each##*/}/effective_affinity_list"
            [ -n "$line" ] || read -r line <"/proc/irq/${each##*/}/smp_affinity_list"
            [ -z "$line" ] || echo " interrupt ${each##*/} $line"
        done
        show "$disk" dev size ro removable partition start alignment_offset stat inflight 'queue/*' 'dm/[nu]*' \
            'md/[lrcmdsa]*' 'bcache/*' backing_dev 'loop/[bd]*' cache_type 'device/scsi_disk/*/cache_type' device/model \
            device/vendor device/rev device/firmware_rev device/transport device/state device/queue_depth device/type \
            device/numa_node device/address device/device/numa_node device/device/vendor device/device/device
    done
    for each in /sys/fs/btrfs/*/devices; do [ ! -d "$each" ] || { echo '== @btrfs' && printf ' %s\n' "$each"/*; }; done
}
directory() { # PATH of the server's
    echo "== @directory $1"
    up=$(readlink -f "$1" || echo "$1") && at=$up
    until [ -e "$up" ]; do up=${up%/*} && up=${up:-/}; done
    [ -e "$at" ] || { { [ -x "$up" ] || echo ' denied'; } && return; }
    echo " resolved $at"
    df -P -k "$at" | awk 'NR > 1 { for (i = NF; i > 3; i--) if ($i ~ /%$/) { print " room", $(i-3), $(i-2), $(i-1); exit } }'
    stat -f -c " block %S" "$at"
    # shellcheck disable=SC2012 # names are left out
    ls -slk "$at" | awk '$2 ~ /^-/ && n++ < 256 { print " piece", $1 }' | sort -u
    lsattr -d "$at" | awk '{ print " attributes", $1 }'
}
is_server() { # FOLDER in /proc
    comm='' && read -r comm <"$1/comm"
    case $comm in mysqld | mariadbd) ;; ld-*) tr '\0' '\n' <"$1/cmdline" | grep -Eq '/(mysqld|mariadbd)$' ;; *) return 1 ;; esac
}
find_server() { # FILE of its process number; else the only one there is
    pid=$(head -n 1 "$1" | tr -cd 0-9)
    is_server "/proc/$pid" || pid=$(for each in /proc/[0-9]*; do is_server "$each" && echo "${each##*/}"; done)
    case $pid in '') because='no process is called mysqld or mariadbd' ;;
    *[!0-9]*) pid='' because='several processes are called mysqld or mariadbd' ;; esac
}
option_file() { # FILE or folder, and what it includes
    case $1,$seen in /*,*"|$1|"* | [!/]*) return ;; esac
    seen="$seen|$1|" why=''
    if [ -d "$1" ]; then
        echo "== @folder $1" && find "$1"/*.cnf -prune -type f | sed 's/^/ /'
        for each in "$1"/*.cnf; do [ ! -f "$each" ] || option_file "$each"; done
        return
    fi
    echo "== @options $1"
    if [ ! -e "$1" ]; then why='it is not there'
    elif [ ! -f "$1" ]; then why='it is no regular file'
    elif [ ! -r "$1" ]; then why='this account may not read it'
    elif [ -n "$(find -L "$1" -prune -perm -002)" ]; then why='everybody may write to it, so servers pass over it'
    elif [ -n "$(find -L "$1" -prune -size +512)" ]; then why='it is larger than 256 KiB'; fi
    [ -z "$why" ] || { echo "!because $why" && return; }
    changed=$(stat -L -c %Y "$1" || stat -L -f %m "$1") && echo "!age $(($(date +%s) - changed))"
    awk -F'\t' -v list="$work/list" -v mode=options -v suffix="$suffix" -f "$work/hide.awk" "$1"
    while IFS= read -r each; do option_file "${each%/}"; done <<END
$(sed -n 's/^[[:space:]]*![[:space:]]*include[dir]*[[:space:]]\{1,\}\(.*[^[:space:]]\)[[:space:]]*$/\1/p' "$1")
END
}
option_files() { # those that the server may read, and those that it says its values come from
    tr '\0' '\n' <"/proc/$pid/cmdline" | grep -E '^(mysqld|mariadbd|/.*/(mysqld|mariadbd))$|^--(no-)?defaults' | sed 's/^/argument /'
    tr '\0' '\n' <"/proc/$pid/environ" | grep -E '^(HOME|(MYSQL|MARIADB)_HOME|MYSQL_GROUP_SUFFIX)=' | sed 's/^/environment /'
    awk -F'\t' 'NF == 3 && $2 != "PERSISTED" && $3 ~ /^\// { print "asked", $3 }' "$work/answers" | sort -u
}
server() {
    find_server "$(joined pid_file)"
    [ -n "$pid" ] || { printf '== @server\n because %s\n' "$because" && return; }
    printf '== @server\n pid %s\n host %s\n' "$pid" "$(uname -n)" && show "/proc/$pid" status limits cgroup oom_score_adj smaps_rollup
    limits "/proc/$pid/cgroup"
    option_files >"$work/places"
    echo '== @started' && sed '/^asked/d;s/^/ /' "$work/places"
    if grep -q '^NSpid:.*[0-9][[:space:]][0-9]' "/proc/$pid/status"; then echo ' contained' && return; fi
    if grep -q '^argument --no-defaults' "$work/places"; then return; fi
    seen='' suffix=$(sed -n 's/^argument --defaults-group-suffix=//p;s/^environment MYSQL_GROUP_SUFFIX=//p' "$work/places" | head -n 1)
    while IFS= read -r each; do option_file "${each%/}"; done <<END
/etc/my.cnf
/etc/mysql/my.cnf
/usr/local/mysql/etc/my.cnf
$(sed -n 's/^asked //p;s/^argument --defaults[a-z-]*file=//p' "$work/places")
$(sed -n 's#^environment HOME=\(.*\)$#\1/.my.cnf#p;s#^environment [A-Z]*_HOME=\(.*\)$#\1/my.cnf#p' "$work/places")
END
}
directories() { # that the server writes to
    cd "$(value datadir)" || true
    for each in datadir innodb_data_home_dir innodb_log_group_home_dir innodb_undo_directory innodb_doublewrite_dir \
        tmpdir innodb_tmpdir log_bin_basename relay_log_basename; do
        path=$(joined "$each")
        case $each in *_basename) path=${path%/*} ;; tmpdir) path=${path%%:*} ;; esac
        [ -z "$path" ] || echo "$path"
        case $each,$path in datadir,/* | *log_group*,/*) echo "$path/#innodb_redo" ;; esac
    done | sed 's#/\./#/#g;s#//*#/#g;s#/\.$##;s#\(.\)/$#\1#' | sort -u
}
moment() { # every counter at about one time; with "all" names of threads, and all processes
    echo "== @moment $(uptime_s)"
    read -r line </proc/stat && printf '== /proc/stat\n %s\n' "$line"
    show /proc diskstats 'pressure/*' ${pid:+"$pid/stat" "$pid/io"}
    [ -z "$pid" ] || echo '== @threads'
    for each in ${pid:+/proc/"$pid"/task/*}; do
        line='' comm='' && read -r line <"$each/schedstat"
        [ "$1" != all ] || read -r comm <"$each/comm"
        [ -z "$line" ] || echo " ${each##*/} $line $comm"
    done
    [ "$1" = all ] || return
    echo "== @processes $$"
    for each in /proc/[0-9]*; do read -r line <"$each/stat" && printf ' %s\n' "$line"; done
}
sql() { awk -v of="$1" '/^[a-z]/ { on = $1 == of; sub(/^[a-z]+ /, "") } on { gsub(/; /, ";\n"); print }' "$work/sql"; }
value() { awk -F'\t' -v name="$1" 'NF == 2 && $1 == name { v = $2 } END { print v }' "$work/answers"; }
joined() { value "$1" | sed "s#^[^/].*#$(value datadir)/&#"; } # NAME of a path's variable: from the data directory on
uptime_s() { { read -r up _ </proc/uptime || up=$(date +%s); } && echo "$up"; }
mark() { # asks for the time: once that is answered, all before it is
    marks=$((marks + 1)) && echo "SELECT UNIX_TIMESTAMP(SYSDATE(/*!50604 6*/)) AS server_s, $(uptime_s) AS machine_s;"
}
answered() { [ "$(grep -c '^server_s' "$work/answers")" -ge "$marks" ]; }
patience() { # SECONDS for the answers
    left=$1
    until answered || [ -e "$work/ended" ] || [ "$left" -le 0 ]; do left=$((left - 1)) && sleep 1; done
    answered
}
sample() {
    sql status && mark
    [ -z "$timed" ] || sql files
    [ -z "$in_text" ] || echo 'SHOW ENGINE INNODB STATUS;'
    [ -z "$in_metrics" ] || sql history
    # Denied, or of a Performance Schema whose tables were never made.
    if grep -q -e "denied.*'threads'" -e "^ERROR 1146 .*\.threads'" "$work/answers"; then clients=processes; fi
    sql "$clients"
    case $clients,$taken in threads,0) sql processes && sql pids ;; threads,*0) sql pids ;; esac
    taken=$((taken + 1))
}
talk() { # what the client is to ask goes to it, what the machine says meanwhile to files
    marks=0 taken=0 timed='' in_text='' in_metrics=yes mysql='' clients=processes pid='' because=''
    sql settings && mark && patience 600 || return
    version=$(value version)
    case $version,$(value version_comment) in *[Mm]aria*) sql mariadb ;; *) sql mysql && mysql=yes ;; esac
    case $(value performance_schema),$mysql,$version in ON,yes,5.5.*) timed=yes ;; ON,yes,*) timed=yes clients=threads ;;
    ON,*) timed=yes ;; esac
    sql internals && mark && patience 60 || return
    echo "Collecting for $seconds s from $(value hostname), $version ..." >&3
    {
        host && disks && server
        directories | while IFS= read -r each; do directory "$each"; done
        case $version in 5.[0-6].* | 10.[01].*) echo '== @data_files' &&
            find -H "$(value datadir)" -xdev -type f \( -name '*.ibd' -o -name 'ibdata*' \) -exec ls -ln {} + |
            awk '{ s += $5 } END { printf " bytes %.0f\n", s }' ;; esac
    } >"$found/machine.txt"
    sql ends && mark && patience 60
    grep -Eq '^Innodb_(checkpoint_age|lsn_last_checkpoint|redo_log_checkpoint_lsn)' "$work/answers" || in_text=yes
    if grep -q '^Innodb_history_list_length' "$work/answers"; then in_metrics=''; fi
    begun=$(date +%s) && sample && moment all >"$found/moments.txt"
    until sleep 1 && [ $(($(date +%s) - begun)) -ge "$seconds" ] || [ -e "$work/ended" ]; do
        if answered; then sample; fi # one that is slow to answer is asked less often
        moment brief >>"$found/moments.txt"
    done
    sample
    moment all >>"$found/moments.txt"
    sql ends && mark
    times >"$work/times" && { echo '== @own' && sed 's/^/ /' "$work/times"; } >>"$found/moments.txt"
    patience 30 || [ -e "$work/ended" ] || kill "$(cat "$work/pid")"
}
talk 3>&2 2>/dev/null | {
    # shellcheck disable=SC2016 # for the inner shell
    sh -c 'echo $$ >"$0" && exec "$@"' "$work/pid" "$client" "$@" --batch --verbose --force --unbuffered --column-names \
        --skip-reconnect >"$work/answers" 2>&1
    : >"$work/ended"
}
grep -q '^server_s' "$work/answers" || fail "nothing was asked: $(grep -v '^-*$' "$work/answers" | tail -n 1)"
printf '%s\n' 'leadline-collect {{format}}' 'version {{version}}' "name $name" "seconds $seconds" \
    "taken_at $(date -u +%Y-%m-%dT%H:%M:%S+00:00)" >"$found/manifest.txt"
hide() { awk -F'\t' -v list="$work/list" -v mode="$1" -f "$work/hide.awk" "$2"; }
hide answers "$work/answers" >"$found/mysql.txt" || fail "this awk can't hide secrets: nothing is packed"
for each in machine moments; do hide text "$found/$each.txt" >"$work/text" && mv "$work/text" "$found/$each.txt"; done
{ (cd "$work" && tar cf - "$name-collect") | gzip -c >"$work/packed" && mv "$work/packed" "$to/$name-collect.tar.gz"; } ||
    fail "the archive can't be written to $to"
echo "$to/$name-collect.tar.gz"
