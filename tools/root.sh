#!/bin/sh
# Makes the root of the image in FOLDER from Debian packages, without a package manager: the libraries that Node needs, busybox
# for the health check and a shell, and a user. Runs in a build stage of the Dockerfile.
set -eu
folder=$1
work=$(mktemp -d)

apt-get update -qq
# Lines that begin with a name are packages; the others say why each is needed.
libraries=$(apt-cache depends --important --recurse libc6 libstdc++6 libatomic1 | grep '^[a-z]' | sort -u)
# These two alone: what they depend on is for systems with a package manager.
packages="base-files busybox-static $libraries"
chmod 0777 "$work"
(cd "$work" && apt-get download -qq $packages)

# Newer releases of base-files have these links themselves.
mkdir -p "$folder"
for name in bin sbin lib lib64; do
  mkdir -p "$folder/usr/$name"
  ln -s "usr/$name" "$folder/$name"
done
mkdir -p "$folder/var/lib/dpkg/status.d"
for name in $packages; do
  file=$(echo "$work/${name}"_*.deb)
  dpkg-deb --fsys-tarfile "$file" | tar --extract --keep-directory-symlink --directory "$folder"
  # Scanners look here for packages.
  dpkg-deb --field "$file" > "$folder/var/lib/dpkg/status.d/$name"
done

# Of the documentation, licences are needed. Node converts no text with glibc and has its own translations and time zones.
find "$folder/usr/share/doc" -mindepth 2 ! -name copyright -delete
rm -rf "$folder/usr/share/man" "$folder/usr/share/locale" "$folder/usr/share/lintian" "$folder"/usr/lib/*/gconv

# What belongs to package managers would find none.
for name in $("$folder/usr/bin/busybox" --list | grep -Ev '^(busybox|ar|dpkg.*|rpm.*)$'); do
  [ -e "$folder/usr/bin/$name" ] || ln -s busybox "$folder/usr/bin/$name"
done
mkdir -p "$folder/usr/local/bin"
printf '#!/bin/sh\nexec node /app/server/run.js cli "$@"\n' > "$folder/usr/local/bin/contrail"
chmod 0755 "$folder/usr/local/bin/contrail"

printf 'root:x:0:0:root:/root:/bin/sh\ncontrail:x:1000:1000:Contrail:/data:/bin/sh\n' > "$folder/etc/passwd"
printf 'root:x:0:\ncontrail:x:1000:\n' > "$folder/etc/group"
# Without it, glibc asks the name server before it reads /etc/hosts.
printf 'hosts: files dns\n' > "$folder/etc/nsswitch.conf"
install -d -m 1777 "$folder/tmp"
install -d -m 0700 -o 1000 -g 1000 "$folder/data"
rm -rf "$work"
