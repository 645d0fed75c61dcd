package server_test

import (
	"context"
	"fmt"

	"github.com/mimus-go/mimus/server"
)

func serve(ctx context.Context) error {
	s, err := server.New(server.Config{Addr: "127.0.0.1:0", Paths: []string{"../examples/parcels"}})
	if err != nil {
		return err // a wrong stub file is named by file:line:column
	}
	listener, err := s.Listen(ctx)
	if err != nil {
		return err
	}
	return s.Serve(ctx, listener) // until ctx is done
}

func Example() {
	ctx, stop := context.WithCancel(context.Background())
	stop() // at once, for the example
	fmt.Println(serve(ctx))
	// Output: <nil>
}
