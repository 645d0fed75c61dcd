// Command mimus is the standalone server, and what goes with it. "mimus --help" lists the commands.
package main

import (
	"os"

	"github.com/mimus-go/mimus/internal/cli"
)

func main() { os.Exit(cli.Run(os.Args[1:], os.LookupEnv, os.Stdin, os.Stdout, os.Stderr)) }
