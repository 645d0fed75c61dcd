package cli

import "github.com/mimus-go/mimus/stubfile"

type schemaCommand struct{}

// Help is shown by --help.
func (schemaCommand) Help() string {
	return `JSON Schema, draft 2020-12. Editors complete and check stub files with it, once it is saved and named in the file's first line: # yaml-language-server: $schema=stubs.schema.json`
}

// Run prints the schema.
func (schemaCommand) Run(s *streams) error {
	_, err := s.out.Write(append(stubfile.Schema(), '\n'))
	return err
}
