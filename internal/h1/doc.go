// Package h1 serves HTTP/1.1 connections after their first request, for less than net/http takes.
//
// A [Keeper] is a handler around another. net/http accepts a connection, tells HTTP/2 from HTTP/1.1 and reads the first
// request; the keeper then takes a plain TCP connection over, and reads requests and writes answers itself, in the same
// goroutine, until the connection ends:
//
//	k := &h1.Keeper{Handler: handler}
//	server := &http.Server{Handler: k}
//	…
//	server.Shutdown(ctx) // does not know the connections that were taken over
//	k.Shutdown(ctx)
//
// What is saved: a goroutine for each request that waits for a hang-up (here one is started when somebody asks for the
// end of the request's context), the making, cloning and sorting of a map of headers (see [Writer.Respond]), and writes:
// an answer that is complete leaves in one. The rest of an answer that falls due bit by bit can be handed over (see
// [Writer.Hand]): then one goroutine writes for thousands of streams, and of each there is only a small one that waits
// for the client to hang up or to ask again. Requests are parsed by net/http, and everything else than HTTP/1.1 on plain
// TCP stays with it.
package h1
