// Package cli is the command line of mimus: the commands, their flags and what they print.
package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

// Exit codes.
const (
	exitOK    = 0
	exitError = 1 // the command could not do what it was asked for, or found something wrong
	exitUsage = 2 // the command line is wrong
)

// streams are where a command reads and writes, and what it knows of its environment.
type streams struct {
	in       io.Reader
	out, err io.Writer
	lookup   func(string) (string, bool)
}

// commands is the command line as kong reads it.
type commands struct {
	Serve   serveCommand   `cmd:"" help:"Serve stub files on one port, for every provider."`
	Check   checkCommand   `cmd:"" help:"Say what is wrong with stub files, and where."`
	Render  renderCommand  `cmd:"" help:"Print the bytes that a stub's answer becomes on one wire."`
	Schema  schemaCommand  `cmd:"" help:"Print the JSON Schema of stub files."`
	Demo    demoCommand    `cmd:"" help:"Serve an example, ask it on every wire, and show what travelled."`
	Version versionCommand `cmd:"" help:"Print the version, and how old the knowledge of the providers is."`
}

const description = `A test double for LLM APIs: it answers in the wire format of any provider, from stub files.

Point a client's base URL at a running "mimus serve"; which provider is meant is read from each request. Every flag can also be set by an environment variable, which the help of each command names in brackets, after the default.`

// errFound ends a command that has already printed what it found.
var errFound = errors.New("something is wrong")

// exit is how kong's help leaves the parser.
type exit int

// Run runs the command line and gives the exit code: 0, 1 where something is wrong, 2 where the command line is.
func Run(args []string, lookupEnv func(string) (string, bool), stdin io.Reader, stdout, stderr io.Writer) (code int) {
	s := &streams{in: stdin, out: stdout, err: stderr, lookup: lookupEnv}
	defer func() {
		if v := recover(); v != nil {
			e, ok := v.(exit)
			if !ok {
				panic(v)
			}
			code = int(e)
		}
	}()
	env := environment{lookup: lookupEnv}
	parser, err := kong.New(&commands{},
		kong.Name("mimus"), kong.Description(description), kong.Writers(stdout, stderr),
		kong.Exit(func(code int) { panic(exit(code)) }),
		kong.Resolvers(&env), kong.ValueFormatter(withEnv), kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.Bind(s),
	)
	if err != nil {
		fmt.Fprintf(stderr, "mimus: %v\n", err)
		return exitError
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	k, err := parser.Parse(args)
	if err != nil {
		fmt.Fprintf(stderr, "mimus: %s%s\n", err, env.blame(err))
		fmt.Fprintf(stderr, "%s\n", usageHint(err))
		return exitUsage
	}
	switch err := k.Run(); {
	case err == nil:
		return exitOK
	case errors.Is(err, errFound):
		return exitError
	default:
		fmt.Fprintf(stderr, "mimus: %v\n", err)
		if u := new(usageError); errors.As(err, &u) {
			return exitUsage
		}
		return exitError
	}
}

// usageError is a wrong argument that only the command itself can find.
type usageError struct{ error }

func usageHint(err error) string {
	var p *kong.ParseError
	if errors.As(err, &p) && p.Context != nil {
		if cmd := p.Context.Selected(); cmd != nil {
			return `Run "mimus ` + cmd.Name + ` --help" for its arguments.`
		}
	}
	return `Run "mimus --help" for the commands.`
}

// environment gives flags their values from MIMUS_ variables.
type environment struct {
	lookup func(string) (string, bool)
	used   []string // names of flags
}

// envName is the variable of a flag: --max-body is MIMUS_MAX_BODY.
func envName(flag string) string {
	return "MIMUS_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// Validate is for resolvers that read files.
func (e *environment) Validate(*kong.Application) error { return nil }

// Resolve looks a flag up.
func (e *environment) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	if flag.Name == "help" {
		return nil, nil //nolint:nilnil // kong's way to say that there is no value
	}
	value, ok := e.lookup(envName(flag.Name))
	if !ok || value == "" {
		return nil, nil //nolint:nilnil // as above
	}
	e.used = append(e.used, flag.Name)
	return value, nil
}

// blame names the variable that a wrong value came from.
func (e *environment) blame(err error) string {
	for _, name := range e.used {
		if strings.Contains(err.Error(), "--"+name) {
			return " (from $" + envName(name) + ")"
		}
	}
	return ""
}

// withEnv adds the default and the name of the variable to a flag's help.
func withEnv(v *kong.Value) string {
	if v.Flag == nil || v.Name == "help" {
		return v.Help
	}
	usual := ""
	if v.HasDefault {
		usual = v.Default + ", or "
	}
	return v.Help + " [" + usual + "$" + envName(v.Name) + "]"
}
