module github.com/mimus-go/mimus

go 1.26.0
