# docs/operations.md says how to name it by digest.
ARG NODE_IMAGE=node:24-slim
FROM ${NODE_IMAGE}

ENV NODE_ENV=production \
    DATA_DIR=/data \
    ACCESS_FILE=/config/access.yml \
    TEMPLATES_FILE=/config/templates.yml

WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Without the development packages: the image brings its own Node.
RUN npm ci --omit=dev && npm cache clean --force
COPY manifest.yml ./
COPY src ./src

RUN install -d -m 0700 -o node -g node /data && mkdir /config
# The user "node", by its number: a cluster that forbids root has to see that this is not root.
USER 1000:1000
# The only place that is written; everything else may be mounted read-only.
VOLUME /data
EXPOSE 3000

HEALTHCHECK --interval=30s --timeout=5s --start-period=15s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]

# Not through npm, which would keep the signal to stop for itself.
CMD ["node", "--max-semi-space-size=8", "src/main.js", "start"]
