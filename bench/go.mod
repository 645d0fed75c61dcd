module github.com/mimus-go/mimus/bench

go 1.26.0

replace github.com/mimus-go/mimus => ../
