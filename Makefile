# Plat: `make run` and `make test` are all a newcomer needs; everything else is in README.md.
SHELL := /bin/sh
MAKEFLAGS += --no-print-directory
# A Node of our own comes first when the machine's is too old (see the node target).
export PATH := $(CURDIR)/.node/node_modules/.bin:$(CURDIR)/node_modules/.bin:$(PATH)
export PLAT_HOME ?= .plat
# Programs underneath warn of their own insides: Debian's npm of a module of Node that it still uses. Nobody here can mend that.
QUIET := NODE_NO_WARNINGS=1
WEB := $(shell find web -path web/dist -prune -o -type f -print 2>/dev/null) client/events.ts
SOURCES := $(shell find plat.ts datasets ingest pipelines query server -name '*.ts' -o -name '*.json' -o -name '*.br' 2>/dev/null)

.PHONY: setup node web client run check check-lint check-tests types test test-long lint docs golden answers site sbom ceph bench bench-ingest bench-fetch bench-bulk bench-overlay bench-geocode bench-enrich bench-site bench-place bench-isolation bench-world bench-proximity bench-ask bench-agents bench-requests clean bench-streams bench-ledger bench-search bench-sets bench-suggest bench-partitions bench-tiles bench-workers bench-layer-workers bench-floor mcp-clients valhalla koop soak simulate mutate

setup: node node_modules/.installed

# Node >= 22.13, or node@24 from the npm registry into .node/.
node:
	@node -e 'const [a,b]=process.versions.node.split(".").map(Number); process.exit(a>22||(a===22&&b>=13)?0:1)' 2>/dev/null \
	  || { echo "Node >= 22.13 not found: installing node@24 from npm into .node/"; \
	       $(QUIET) npm install --no-audit --no-fund --no-save --loglevel=error --prefix .node node@24 > /dev/null; }
	@node -e 'const [a,b]=process.versions.node.split(".").map(Number); process.exit(a>22||(a===22&&b>=13)?0:1)' \
	  || { echo "node@24 could not be installed. Install Node 22.13 or newer and try again."; exit 1; }

node_modules/.installed: package-lock.json package.json
	@echo "Installing packages from npm"
	@$(QUIET) npm ci --no-audit --no-fund --loglevel=error > /dev/null
	@touch $@

# Types are what `make lint` checks.
dist/plat.js: node_modules/.installed tsconfig.json tsconfig.build.json $(SOURCES)
	@rm -rf dist
	@$(QUIET) npm run --silent compile

# The explorer and the console, built to static files that the server serves.
web: node
	@$(MAKE) setup web/dist/index.html

web/dist/index.html: node_modules/.installed $(WEB)
	@$(QUIET) vite build web --logLevel warn
	@$(QUIET) vite build web/answer --logLevel warn

# @plat/client for npm: modules with their types, and one file for browsers, in client/dist; `npm pack ./client` packs it.
client: setup
	@$(QUIET) npm run --silent client

# The embedded synthetic area is generated and ingested once, or the files of a built place are downloaded (PLACE=bangor-me); then
# the server starts. The calculations of its parcels follow beside it and are served as soon as they are done; what an earlier start
# did not finish goes on.
PLACE ?= synthetic
run: node
	@$(MAKE) -s setup dist/plat.js web/dist/index.html
	@./plat release show --json 2>/dev/null | grep -q '"place":"$(PLACE)"' \
	  || if [ "$(PLACE)" = synthetic ]; then ./plat world generate --out $(PLAT_HOME)/world && ./plat ingest run --sources $(PLAT_HOME)/world --place synthetic --no-overlay; \
	  else ./plat ingest run --place $(PLACE) --no-overlay; fi
	@mkdir -p $(PLAT_HOME)/logs; nice ./plat ingest overlay --threads 1 > $(PLAT_HOME)/logs/overlay.log 2>&1 & true
	@echo "Missing calculations of parcels are made beside the server; a search by one says how long they take. Logs: $(PLAT_HOME)/logs"
	@export PLAT_LOG_FILE=$${PLAT_LOG_FILE-$(PLAT_HOME)/logs/serve.log} PLAT_GUESTS=$${PLAT_GUESTS-on}; exec ./plat serve --welcome$(if $(filter-out synthetic,$(PLACE)), $(PLACE))

test: node
	@$(MAKE) setup dist/plat.js web/dist/index.html lint
	vitest run

# The inner loop, under 60 s on two cores: types and lint beside the tests that a change of what changed can break. They ask for pages
# of the explorer too, which are built where they are not. What is in the main branch was linted there.
check: node
	@$(MAKE) setup web/dist/index.html
	@$(MAKE) -j2 -Otarget check-lint check-tests

check-lint: types
	@{ git diff --name-only --diff-filter=d $$(git merge-base HEAD main 2>/dev/null || echo HEAD) && git ls-files --others --exclude-standard; } \
	  | xargs -r -d '\n' biome check --error-on-warnings --no-errors-on-unmatched --files-ignore-unknown=true || { $(MENDS_LINT); exit 1; }

check-tests: setup
	@PLAT_TEST=check vitest run || { echo "make check: pages and client that are out of date are written by make docs. One file alone: npx vitest run FILE"; exit 1; }

# What does not fit in 12 minutes: more kill -9 moments, larger random samples; seeds are fixed.
test-long: node
	@$(MAKE) setup dist/plat.js web/dist/index.html mcp-clients valhalla koop ceph
	PLAT_TEST=long vitest run
	@$(MAKE) soak MINUTES=10

# Twenty accounts while releases are published, serving processes killed and PostgreSQL restarted: no wrong answer, no charge
# lost, no memory that grows.
MINUTES ?= 110
soak: setup dist/plat.js
	node --experimental-strip-types --no-warnings bench/soak.ts --minutes $(MINUTES)

# What servers, their disks, their network and their clocks do in one history, which follows from a number; ONLY says which of its
# events take place, as it is printed with a breach.
SEED ?= 0
simulate: setup
	@node --experimental-strip-types --no-warnings test/simulate/main.ts --seeds $(SEED) $(if $(ONLY),--only $(ONLY))

# Small faults are put into the layers that can hide each other's, one after the other: the tests beside a layer must find nine in ten.
# LAYER is one of test/mutate/layers.ts; all without it.
mutate: setup
	@node --experimental-strip-types --no-warnings test/mutate/main.ts $(if $(LAYER),--layer $(LAYER))

# The inspector and the conformance runner of the protocol's project: 140 MB that only two tests of test-long want, without
# the script that the inspector would run to install more.
mcp-clients: setup .mcp-clients/.installed

.mcp-clients/.installed:
	@echo "Installing the inspector and the conformance runner of MCP into .mcp-clients/"
	@mkdir -p .mcp-clients
	@$(QUIET) npm install --ignore-scripts --no-audit --no-fund --no-save --loglevel=error --prefix .mcp-clients \
	  @modelcontextprotocol/inspector@2.12.0 @modelcontextprotocol/conformance@0.1.16
	@touch $@

# Another routing engine, which a test of test-long compares drive times with: 280 MB with its programs, no install script.
valhalla: setup .valhalla/.installed

.valhalla/.installed:
	@echo "Installing Valhalla into .valhalla/"
	@mkdir -p .valhalla
	@$(QUIET) npm install --ignore-scripts --no-audit --no-fund --no-save --loglevel=error --prefix .valhalla @valhallajs/valhallajs@3.6.1
	@touch $@

# A feature server of another project, which a test of test-long takes layers and collections from: 120 MB, no install script.
koop: setup .koop/.installed

.koop/.installed:
	@echo "Installing Koop into .koop/"
	@mkdir -p .koop
	@$(QUIET) npm install --ignore-scripts --legacy-peer-deps --no-audit --no-fund --no-save --loglevel=error --prefix .koop \
	  @koopjs/koop-core@10.4.19 @koopjs/output-ogcapi-features@0.2.2
	@touch $@

# A real S3 server for tests of test-long: Debian's Ceph, 290 MB, which only root can install.
CEPH := ceph-mon ceph-osd ceph-common radosgw
ceph:
	@command -v radosgw > /dev/null || [ "$$(id -u)" != 0 ] || ! command -v apt-get > /dev/null \
	  || { echo "Installing Ceph ($(CEPH))"; apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq -o DPkg::Lock::Timeout=300 --no-install-recommends $(CEPH) > /dev/null; } \
	  || echo "Ceph could not be installed: its tests are skipped"

MENDS_LINT := echo "make lint: npm run format mends layout and imports; what it leaves is told above"
lint: types
	@biome check --error-on-warnings . || { $(MENDS_LINT); exit 1; }

# What the last time found is kept beside the packages, so only what a change can reach is looked at: a sixth of the processor time.
types: setup
	tsc --noEmit --checkers 2 --incremental --tsBuildInfoFile node_modules/.cache/types
	tsc --noEmit -p web --checkers 2 --incremental --tsBuildInfoFile node_modules/.cache/types-web

# docs/errors.md, docs/settings.md, docs/commands.md and others are written from their registries, client/api.ts from the API
# description; tests compare them.
docs: setup dist/plat.js
	tsx docs/generate.ts write

# Hashes of the answers to 2,000 mixed requests (test/golden), which a change of answers changes; ANSWERS=folder writes the answers
# themselves, for a comparison with those of an earlier commit.
golden: setup
	tsx test/golden/write.ts $(ANSWERS)

# Answers that the reference shows below its examples: those of a server of the synthetic area.
answers: setup dist/plat.js
	tsx test/server/meta/write-answers.ts

# The documentation as files that any web server serves, in site/.
site: node
	@$(MAKE) -s setup web/dist/index.html
	@tsx docs/site.ts write

# Every locked package with version, digest and licence, as CycloneDX. Debian's npm is too old for it, so a newer one does it there.
NPM_SBOM := npm sbom --package-lock-only --sbom-format cyclonedx --sbom-type application
sbom: node
	@{ npm sbom --help > /dev/null 2>&1 && $(NPM_SBOM) || npm exec --yes --package=npm@11 -- $(NPM_SBOM); } > sbom.json
	@echo "sbom.json lists every locked package (CycloneDX)"

bench: bench-ingest bench-fetch bench-search bench-sets bench-ledger bench-bulk bench-overlay bench-geocode bench-enrich bench-site bench-streams bench-proximity bench-partitions bench-isolation bench-ask bench-agents bench-requests bench-floor

bench-ingest: setup dist/plat.js
	node --experimental-strip-types --no-warnings bench/ingest.ts

# What the machine allows: bare servers with the same bytes, an R-tree, predicates, distances, DuckDB, SQLite; in processor time.
bench-floor: setup dist/plat.js
	node --experimental-strip-types --no-warnings bench/floor.ts

# 50 mixed fields on 10,000 points, PostGIS beside the vector and key fields, cold start; then 1, 10 and 40 fields.
bench-fetch: setup dist/plat.js
	node --experimental-strip-types --no-warnings bench/fetch-mixed.ts
	tsx bench/fetch.ts

# Parcel search against the same server over PostGIS; ARGS="--parcels 2000000" or ARGS=--bangor searches others.
bench-search: setup dist/plat.js
	tsx bench/search.ts $(ARGS)

# Counts, ranks and aggregates of all parcels that pass filters, PostGIS and DuckDB over the same files beside; ARGS="--parcels 2000000".
bench-sets: setup dist/plat.js
	tsx bench/sets.ts $(ARGS)

# Suggestions as one types at a county of 200,000 parcels, by the clock and in processor time. Makes the county once, in BENCH_CACHE or
# the folder of temporary files: seven minutes.
bench-suggest: setup dist/plat.js
	tsx bench/suggest.ts

# Parcels a second on one core for each operator in bulk, and its point form beside it.
bench-bulk: setup dist/plat.js
	tsx bench/bulk.ts

# Match rate, wrong places, metres and speed of the local geocoder on thousands of variants of known addresses.
bench-geocode: setup dist/plat.js
	node --experimental-strip-types --no-warnings bench/geocode.ts

# The calculations of every parcel: parcels a second, each operator's share, disk.
bench-overlay: setup dist/plat.js
	node --experimental-strip-types --no-warnings --max-semi-space-size=16 bench/overlay.ts

# Full enrichment of a parcel and of a search page of 100, over HTTP.
bench-enrich: setup dist/plat.js
	tsx bench/enrich.ts

# Sites of 100 and of 200,000 acres until they are ready, and another account's fetches meanwhile, over HTTP.
bench-site: setup dist/plat.js
	tsx bench/site.ts

# A county of 11,000 parcels from plat place new to a verified release, from publishers on this machine.
bench-place: setup dist/plat.js
	tsx bench/ingest/place-new.ts

# What a thousand open event streams of runs add to the memory of a server.
bench-streams: setup dist/plat.js
	tsx bench/streams.ts

# Calculations of parcels by one process, and by one and two workers beside a coordinator. Needs PostgreSQL's server programs.
bench-workers: setup
	tsx bench/workers.ts

# Reading layers by one process, and by one and three workers beside a coordinator. Needs PostgreSQL's server programs.
bench-layer-workers: setup
	tsx bench/ingest/layer-workers.ts

# What others notice of nineteen kinds of noisy neighbour, with bars; BENCH_ONLY=batches,tokens tries two.
bench-isolation: setup dist/plat.js
	node --experimental-strip-types --no-warnings bench/isolation.ts
# A road graph of a million arcs: building, memory, matrices, nearest places, isochrones, over HTTP, and pgRouting beside.
bench-proximity: setup dist/plat.js
	tsx bench/proximity.ts
# Which partitions hold a point, in manifests of up to 3,200 counties with 100 layers each.
# Makes a county of 200,000 parcels once, in BENCH_CACHE or the folder of temporary files: seven minutes.
bench-tiles: setup dist/plat.js
	tsx bench/tiles.ts

bench-partitions: setup
	tsx bench/partitions.ts
# Questions of strangers and their paraphrases: fields planned, numbers that no record says, the truth of the generator, refusals, time.
bench-ask: setup dist/plat.js
	tsx bench/ask.ts

# Tasks as agents get them, by both generations of the SDK over HTTP and stdio: right or wrong, calls, tokens and bytes of each.
bench-agents: setup dist/plat.js
	tsx bench/agents.ts

# 120 field requests with known verdicts: a confusion table; a wrong match is the worst.
bench-requests: setup dist/plat.js
	tsx bench/requests.ts

# Memory of generator and ingest by number of parcels; takes half an hour and 10 GB of disk, so not part of `bench`.
bench-world: setup dist/plat.js
	tsx bench/world.ts

# PLAT_STATE_URL adds PostgreSQL.
bench-ledger: setup
	tsx bench/ledger.ts

clean:
	rm -rf dist site web/dist client/dist client/LICENSE node_modules .node .mcp-clients .valhalla .koop bench/results/*.tmp
