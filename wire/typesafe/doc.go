// Package typesafe speaks TypeSafe's finite classification: POST …/v1/systemone asks a fixed batch of typed questions about
// a state, {"model", "state", "questions": {id: definition}}, and gets one whole answer of probabilities, {"model",
// "answers": {id: answer}, "usage": {"input_tokens", "output_tokens"}}.
//
// There are three kinds of question. A noul wants the probability of yes; a choice one of 2 to 255 labels; a score a level
// of 2 to 10. A stub answers with the JSON of the answers, by question. Answers that don't fit the questions are replaced
// by undecided ones, with a warning; to send bytes that no reader accepts, answer raw.
package typesafe
