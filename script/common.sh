# Shared by the scripts: saying what happens and how long it takes. Source it, do not run it.

set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$ROOT"

if [ -t 2 ]; then BOLD=$'\e[1m' PLAIN=$'\e[0m'; else BOLD='' PLAIN=''; fi

say() { printf '%s==> %s%s\n' "$BOLD" "$*" "$PLAIN" >&2; }
complain() { printf 'error: %s\n' "$*" >&2; exit 1; }

# timed WHAT COMMAND...: runs the command and says what is done and how long it took.
timed() {
    local what=$1 began=$SECONDS
    shift
    say "$what"
    "$@"
    say "$what: done in $((SECONDS - began)) s"
}

# Compiled objects are kept outside the source tree, so that a second clone builds in seconds.
# The sloppiness lets ccache work with a precompiled header, whose contents clang checks itself.
export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
export CCACHE_BASEDIR=$ROOT CCACHE_NOHASHDIR=1
