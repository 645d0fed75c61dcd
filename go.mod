module github.com/mimus-go/mimus

go 1.26.0

require (
	github.com/fsnotify/fsnotify v1.10.1
	github.com/goccy/go-yaml v1.19.2
)

require golang.org/x/sys v0.26.0 // indirect
