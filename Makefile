# Every target sets itself up: node_modules (with its own Node), then the tools it needs (make tools).
BIN := node_modules/.bin
export PATH := $(CURDIR)/$(BIN):$(PATH)
ARGS ?=
REPO ?=

.DEFAULT_GOAL := help
.PHONY: help demo run test contracts check generate bench tools clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: tools ## walk the whole lifecycle and print its timeline (REPO=<url>: with that Helm repository)
	@REPO='$(REPO)' $(BIN)/node knative/local/demo/main.ts $(ARGS)

run: tools ## keep a store up on this machine and print where everything is (ARGS="--help" lists options)
	@$(BIN)/node knative/local/main.ts $(ARGS)

test: tools ## run all tests (ARGS="functions/" runs a part)
	@$(BIN)/node knative/local/tools/main.ts --tests
	@$(BIN)/vitest run $(ARGS)

# A KUBECONFIG that is only in the environment is not taken: the checks write and delete in that cluster.
contracts: tools ## hold the Kubernetes contract against the laptop and KUBECONFIG=<file> or KUBEBUILDER_ASSETS=<folder>
	@$(if $(filter command,$(origin KUBECONFIG)),CONTRACT_KUBECONFIG='$(KUBECONFIG)') $(BIN)/vitest run test/contracts/kubernetes/ $(ARGS)

check: node_modules/.package-lock.json ## lint, types, unused code, generated files
	@$(BIN)/biome check --error-on-warnings
	@$(BIN)/tsc --noEmit -p .
	@$(BIN)/knip --no-progress
	@$(BIN)/node knative/generate/main.ts --check

generate: node_modules/.package-lock.json ## write knative/manifests and the documents from the declarations
	@$(BIN)/node knative/generate/main.ts

bench: tools ## measure against named peers, write test/bench/out.json
	@$(BIN)/node test/bench/main.ts $(ARGS)

tools: node_modules/.package-lock.json ## fetch nats-server, helm and kubectl where they are missing
	@$(BIN)/node knative/local/tools/main.ts

clean: ## remove everything that was fetched, built or stored here
	rm -rf node_modules dist .cache .local

# Not `npm ci`: it refuses the lock file wherever a registry lacks the optional binaries of other platforms. This keeps
# to the locked versions and checksums as well, and leaves the lock file as it is.
node_modules/.package-lock.json: package-lock.json
	npm install --no-save --no-audit --no-fund --loglevel=error
	@touch $@
