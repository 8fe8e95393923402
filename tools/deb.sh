#!/bin/sh
# Makes contrail_VERSION_ARCH.deb of this checkout, which must be built (`npm ci`): `tools/deb.sh amd64 FOLDER`. It brings its own Node;
# the machine that installs it needs no npm and no registry.
set -eu
cd "$(dirname "$0")/.."
arch=$1
target=$(mkdir -p "${2:-.}" && cd "${2:-.}" && pwd)
case $arch in
  amd64) cpu=x64 ;;
  arm64) cpu=arm64 ;;
  *) echo "usage: tools/deb.sh amd64|arm64 [FOLDER]" >&2; exit 2 ;;
esac
run() { node tools/node.js "$@"; }
value() { run --print "require('./package.json').$1"; }
[ -e web/dist/docs/licences.txt ] || { echo "web/dist is missing; run npm run build" >&2; exit 1; }

# A pre-release comes before its version.
version=$(value version | sed 's/-/~/')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
app=$root/usr/lib/contrail/app
install -d "$app/web" "$root/DEBIAN" "$root/usr/bin" "$root/usr/lib/systemd/system" "$root/usr/lib/sysusers.d" \
  "$root/etc" "$root/usr/share/doc/contrail" "$root/usr/share/lintian/overrides"

cp package.json package-lock.json .npmrc "$app"
(cd "$app" && npm ci --silent --omit=dev --ignore-scripts --os=linux --cpu="$cpu" --libc=glibc)
rm "$app/package-lock.json" "$app/.npmrc"
install -m 0755 "$app/node_modules/node-linux-$cpu/bin/node" "$root/usr/lib/contrail/node"
run tools/prune.ts "$app/node_modules" "linux-$cpu"
if [ "$arch" = "$(dpkg --print-architecture)" ]; then
  find "$root/usr/lib/contrail" \( -name node -o -name '*.node' \) -type f -exec strip --strip-unneeded {} +
fi
cp -R assets server LICENSE "$app"
cp -R web/dist "$app/web"
cp web/dist/docs/licences.txt "$app/THIRD-PARTY-LICENSES"

# As for a checkout, in other places.
sed -e 's|^app=.*|app=/usr/lib/contrail/app|' -e 's|^exec node|exec /usr/lib/contrail/node|' -e '/is a link to it/d' \
  deploy/contrail > "$root/usr/bin/contrail"
sed -e 's|^WorkingDirectory=.*|WorkingDirectory=/usr/lib/contrail/app|' -e 's|^ExecStart=/usr/bin/env node|ExecStart=/usr/lib/contrail/node|' \
  -e 's|^# Runs Contrail from /opt/contrail|# Runs Contrail|' -e 's|^Documentation=.*|Documentation=file:///usr/lib/contrail/app/web/dist/docs/index.html|' \
  deploy/contrail.service > "$root/usr/lib/systemd/system/contrail.service"
cp deploy/contrail.env "$root/etc/contrail.env"
echo 'u contrail - "Contrail" /var/lib/contrail /usr/sbin/nologin' > "$root/usr/lib/sysusers.d/contrail.conf"
cp deploy/debian/copyright "$root/usr/share/doc/contrail/copyright"
gzip -9nc CHANGELOG.md > "$root/usr/share/doc/contrail/changelog.gz"
cp deploy/debian/overrides "$root/usr/share/lintian/overrides/contrail"

find "$root" -type d -exec chmod 0755 {} +
find "$root" -type f ! -path "$root/usr/lib/contrail/node" -exec chmod 0644 {} +
chmod 0755 "$root/usr/bin/contrail"
chmod 0640 "$root/etc/contrail.env"
for script in postinst prerm postrm; do install -m 0755 "deploy/debian/$script" "$root/DEBIAN/$script"; done
echo /etc/contrail.env > "$root/DEBIAN/conffiles"
sed -e "s|@VERSION@|$version|" -e "s|@ARCH@|$arch|" -e "s|@SIZE@|$(du -sk --exclude=DEBIAN "$root" | cut -f 1)|" \
  deploy/debian/control > "$root/DEBIAN/control"
(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) > "$root/DEBIAN/md5sums"
# Higher levels take minutes and save a few percent.
dpkg-deb --root-owner-group -Zxz -z1 --build "$root" "$target/contrail_${version}_$arch.deb" >&2
echo "$target/contrail_${version}_$arch.deb"
