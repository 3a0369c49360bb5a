#!/bin/sh
# Usage: tools/install_debian.sh PART…
# Installs those of the parts chromium, gcc, groff, node, openssl and postgresql that this machine lacks.
set -eu

has() {
    command -v "$1" >/dev/null 2>&1
}

packages=""
for part in "$@"; do
    case $part in
        chromium) has chromium || has chromium-browser || packages="$packages chromium" ;;
        gcc) has gcc || packages="$packages gcc libc6-dev" ;;
        groff) has groff || packages="$packages groff-base" ;;
        node) has npm || packages="$packages nodejs npm" ;;
        openssl) has openssl || packages="$packages openssl" ;;
        postgresql) has initdb || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || packages="$packages postgresql" ;;
        *) echo "$0: unknown part $part" >&2; exit 2 ;;
    esac
done
[ -n "$packages" ] || exit 0

echo "Installing from Debian:$packages"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
install="export DEBIAN_FRONTEND=noninteractive; apt-get update -q && apt-get install -qy$packages"
if [ "$(id -u)" -eq 0 ]; then root=""; else root="sudo"; fi
if ! $root sh -c "$install" >"$log" 2>&1; then
    cat "$log" >&2
    echo "Cannot install$packages; install them by hand, then repeat the command." >&2
    exit 1
fi
