# The server of `npx octavo serve`, with its data in a volume. `docker build -t octavo .`
FROM node:20-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build && npm pack --pack-destination /tmp --ignore-scripts

FROM node:20-slim
# glibc would keep a heap for every thread and large buffers among small ones, and hold a sixth more memory.
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data LOG_REQUESTS=true
# `docker compose run --rm octavo octavo help` runs commands.
ENV PATH=/app/node_modules/.bin:$PATH
WORKDIR /app
COPY --from=build /tmp/octavo-*.tgz /tmp/octavo.tgz
RUN npm install --no-audit --no-fund --omit=dev /tmp/octavo.tgz level @aws-sdk/client-s3 nodemailer && rm /tmp/octavo.tgz \
  && mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK CMD ["node", "-e", "fetch('http://127.0.0.1:'+process.env.PORT+'/v1/health').then((it) => process.exit(it.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "node_modules/octavo/dist/cli.js", "serve"]
