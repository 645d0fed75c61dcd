# How long each fuzz target runs in `make check`; `make check FUZZTIME=1m` looks further.
FUZZTIME ?= 2s

GO ?= go

# The folders of all modules that hold Go packages, the root (.) among them.
MODULES = $(shell $(GO) run ./internal/testall -list)
# The suites of the other languages' official SDKs, each with its own commands.
SUITES = $(wildcard e2e/*/check.sh)
LINTER = $(GO) tool -modfile="$(CURDIR)/tools/go.mod" golangci-lint

.PHONY: help check compatibility lint fmt bench flake build clean

help:
	@echo "make check   every test of every module, each fuzz target for $(FUZZTIME), and the SDKs of other languages"
	@echo "make check-node   only the SDKs of Node, and so on"
	@echo "make compatibility   docs/compatibility.md, from what make check found out"
	@echo "make lint    formatting, go.mod files, go vet, golangci-lint"
	@echo "make fmt     format all Go files as make lint wants them"
	@echo "make bench   compare speed with the reference servers"
	@echo "make flake   the tests that wait, each 200 times, for one that fails now and then"
	@echo "make build   bin/mimus"

check:
	@status=0; $(GO) run ./internal/testall -fuzztime=$(FUZZTIME) || status=1; \
	for suite in $(SUITES); do echo; $$suite || status=1; done; exit $$status

check-%: e2e/%/check.sh
	@$<

# Which SDK sees what: every suite has to have run before.
compatibility:
	$(GO) run ./e2e/compatibility

lint:
	@test -n "$(strip $(MODULES))" || { echo "no modules found"; exit 1; }
	@files=$$(gofmt -l .); if [ -n "$$files" ]; then echo "gofmt would change:"; echo "$$files"; exit 1; fi
	@set -e; for module in $(MODULES) tools; do \
		echo "go mod tidy -diff: $$module"; $(GO) -C $$module mod tidy -diff; \
	done
	@set -e; for module in $(MODULES); do \
		echo "go vet, golangci-lint: $$module"; $(GO) -C $$module vet ./...; \
		(cd $$module && $(LINTER) run --config="$(CURDIR)/.golangci.yml" ./...); \
	done

fmt:
	@set -e; for module in $(MODULES); do \
		(cd $$module && $(LINTER) fmt --config="$(CURDIR)/.golangci.yml" ./...); \
	done

bench:
	cd bench && $(GO) run .

# What waits is tested with a fake clock; none of it may depend on how fast the machine is.
flake:
	$(GO) test -race -count=200 -run 'Stall|Times|Hang|HungUp|Retried|Stream|Script|Nothing' .
	$(GO) -C examples/go test -race -count=200 ./...

build:
	$(GO) build -trimpath -o bin/mimus ./cmd/mimus

clean:
	rm -rf bin
