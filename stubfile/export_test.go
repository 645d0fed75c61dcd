package stubfile

// JSON gives the documents of a file as JSON, for tests; nothing where the syntax is wrong.
func JSON(file string, data []byte) []string {
	docs, _ := parse(file, data)
	var out []string
	for _, d := range docs {
		out = append(out, d.value.Raw())
	}
	return out
}
