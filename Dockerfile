# The image has Node, the libraries that it needs, busybox and Contrail; nothing else of a distribution. See docs/operations.md.
# A release builds from the same base by its digest: --build-arg NODE_IMAGE=node:26.10.0-slim@sha256:…
ARG NODE_IMAGE=node:26.10.0-slim
FROM ${NODE_IMAGE} AS base
WORKDIR /app
COPY package.json package-lock.json .npmrc ./

# What the image has of Debian, and Node without its symbols.
FROM base AS root
RUN apt-get update -qq && apt-get install -qq --yes --no-install-recommends binutils
COPY tools/root.sh tools/root.sh
RUN sh tools/root.sh /rootfs && strip --strip-unneeded -o /node /usr/local/bin/node

# Builds the web app with the docs. Install scripts are not needed: no package is compiled.
FROM base AS web
RUN npm ci --ignore-scripts
COPY server server
COPY tools tools
COPY assets assets
COPY docs docs
COPY *.md LICENSE ./
COPY web web
RUN npm run build
COPY --from=root /rootfs/usr/share/doc debian/usr/share/doc
RUN node tools/licences.ts --texts web/dist/docs/licences.txt --debian debian

FROM base AS packages
RUN npm ci --omit=dev --ignore-scripts
COPY tools/prune.ts tools/prune.ts
RUN node tools/prune.ts node_modules "$(node --print 'process.platform + "-" + process.arch')"

FROM scratch
COPY --from=root /rootfs/ /
COPY --from=root /node /usr/local/bin/node
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY LICENSE package.json ./
COPY assets assets
COPY server server
COPY --from=web /app/web/dist web/dist
COPY --from=web /app/web/dist/docs/licences.txt THIRD-PARTY-LICENSES
ENV PATH=/usr/local/bin:/usr/bin NODE_ENV=production DATA_DIR=/data PORT=3000
# Works as any other user too, without an entry in /etc/passwd.
USER 1000:1000
VOLUME /data
EXPOSE 3000
# Starting Node for this every 30 seconds would cost a small machine noticeable CPU.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD wget -q -O /dev/null "http://127.0.0.1:${PORT}/readyz"
ARG VERSION REVISION CREATED
# The addresses are those of `npm run release -- address`.
LABEL org.opencontainers.image.title="Contrail" \
  org.opencontainers.image.description="A self-hosted flight log" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.source="" \
  org.opencontainers.image.url="" \
  org.opencontainers.image.documentation="" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}" \
  org.opencontainers.image.created="${CREATED}"
CMD ["node", "--max-semi-space-size=4", "server/run.js"]
