// Package server is the standalone server: model requests from stub files, and an admin API beside them.
//
//	s, err := server.New(server.Config{Paths: []string{"stubs/"}})
//	if err != nil {
//		return err // a wrong stub file is named by file:line:column
//	}
//	listener, err := s.Listen(ctx)
//	if err != nil {
//		return err
//	}
//	return s.Serve(ctx, listener) // until ctx is done
//
// Requests take the same path as in the Go library. What the admin API shows is redacted.
package server
