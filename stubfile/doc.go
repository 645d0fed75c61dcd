// Package stubfile reads stub files: YAML and JSON files of stubs, and WireMock's mapping files with model stubs.
//
//	set, err := stubfile.Load([]string{"stubs"}, stubfile.Options{})
//	if err != nil {
//		return err // names file, line and column of all that is wrong
//	}
//	for _, s := range set.Stubs {
//		fmt.Println(s.Source, s.Title())
//	}
//
// The keys of a stub are decoded by package stub; here are the two syntaxes, the folders, the positions in messages,
// and the published JSON Schema.
package stubfile
