# The image contains only what is needed to run Contrail. See docs/operations.md.
FROM node:26.10.0-slim AS base
WORKDIR /app
COPY package.json package-lock.json .npmrc ./

# Builds the web app. Install scripts are not needed: no package is compiled.
FROM base AS web
RUN npm ci --ignore-scripts
COPY server server
COPY tools/node.js tools/node.js
COPY assets assets
COPY web web
RUN npm run build

# The packages of the server, without the bundled Node: the image has its own.
FROM base AS packages
RUN npm ci --omit=dev --ignore-scripts && rm -rf node_modules/node-linux-*

FROM base
COPY LICENSE ./
COPY server server
COPY assets assets
COPY --from=packages /app/node_modules node_modules
COPY --from=web /app/web/dist web/dist
COPY deploy/contrail /usr/local/bin/contrail
RUN install -d -o node -g node -m 0700 /data
ENV NODE_ENV=production DATA_DIR=/data PORT=3000
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=4", "server/run.js"]
