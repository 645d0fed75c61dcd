package mimus.e2e;

/** Asks an SDK what a turn says, in one conversation, and tells what the SDK made of the answer. */
interface Driver {
    /** whole asks for an answer in one piece, or for what is no answer of a model. */
    Seen whole(Ask ask) throws Exception;

    /** stream asks for a stream, and gives what the SDK's accumulator makes of it. */
    Seen stream(Ask ask) throws Exception;

    /** again is a driver with the same client and a conversation of its own. */
    Driver again();

    /** close ends what the client keeps open. */
    void close();
}
