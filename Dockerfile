# The first stage builds; the second has compiled code, the explorer and the console, and no packages of development.
FROM node:24-slim AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build

FROM node:24-slim
WORKDIR /opt/plat
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev && npm cache clean --force
COPY --from=build /src/plat /src/LICENSE ./
COPY --from=build /src/dist dist
COPY --from=build /src/web/dist web/dist
# The pages of /docs.
COPY --from=build /src/docs docs
COPY --from=build /src/CHANGELOG.md /src/CONTRIBUTING.md ./
RUN install -d -o 10001 -g 10001 -m 0700 /var/lib/plat
USER 10001:10001
ENV HOST=0.0.0.0 PORT=8080 PLAT_HOME=/var/lib/plat PLAT_DRAIN_DELAY_MS=5000
EXPOSE 8080
VOLUME /var/lib/plat
HEALTHCHECK CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/opt/plat/plat"]
CMD ["serve"]
