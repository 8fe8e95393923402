#!/bin/sh
# Makes a stand-in for the image `node:VERSION-slim` from Debian's packages and npm's Node, for machines without an image
# registry, and prints its name. It has the machine's sources of packages, certificates and configuration of npm, none of which
# reaches the final stage of the Dockerfile.
set -eu
cd "$(dirname "$0")/../.."
node=$(echo "$PWD"/node_modules/node-linux-*)
version=$("$node/bin/node" --print 'process.versions.node')
name=localhost/contrail-test-node:$version-$(sha256sum "$0" | cut -c 1-8)
if podman image exists "$name"; then
  echo "$name"
  exit
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. /etc/os-release
sources=$(grep -l debian.org /etc/apt/sources.list /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list 2>/dev/null || true)
mmdebstrap --quiet --variant=minbase --include=binutils,libatomic1,libstdc++6 "$VERSION_CODENAME" "$work/root" $sources >&2

npm=$(npm root --global)/npm
mkdir -p "$work/root/usr/local/lib/node_modules" "$work/root/etc/ssl/certs"
install -m 0755 "$node/bin/node" "$work/root/usr/local/bin/node"
install -m 0644 "$node/LICENSE" "$work/root/usr/local/LICENSE"
cp -a "$npm" "$work/root/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$work/root/usr/local/bin/npm"
cp -L /etc/ssl/certs/ca-certificates.crt "$work/root/etc/ssl/certs/ca-certificates.crt"
for file in "$HOME/.npmrc" "$(npm config get globalconfig)"; do
  [ ! -e "$file" ] || cat "$file" >> "$work/root/root/.npmrc"
done
tar -C "$work/root" -c . | podman import --quiet --change ENV=NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt \
  --change ENV=PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin - "$name" >&2
echo "$name"
