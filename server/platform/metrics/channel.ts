// Metrics between the processes of one service, over the channels that Node opens between them.
import { log } from "../log";

/** A process at the other end of a channel, or `process` itself. */
export interface Channel {
  send?(message: object, callback: (error: Error | null) => void): boolean;
  on(event: "message", listener: (message: unknown) => void): unknown;
  off(event: "message", listener: (message: unknown) => void): unknown;
}

/** `about` is passed on to the function that answers. */
interface Question {
  readonly sluice: "metrics?";
  readonly number: number;
  readonly about: string;
}

interface Answer {
  readonly sluice: "metrics";
  readonly number: number;
  readonly text: string;
}

function isQuestion(message: unknown): message is Question {
  return (message as Partial<Question> | null)?.sluice === "metrics?";
}

function isAnswer(message: unknown): message is Answer {
  return (message as Partial<Answer> | null)?.sluice === "metrics";
}

/** Answers each question from the other end by `text`. A failure is logged, and the asker waits in vain. */
export function answerMetrics(channel: Channel, text: (about: string) => Promise<string>): void {
  channel.on("message", (message) => {
    if (!isQuestion(message)) return;
    const { number, about } = message;
    text(about)
      .then((answered) => send(channel, { sluice: "metrics", number, text: answered } satisfies Answer))
      .catch((error: unknown) => log().error({ err: error }, "metrics were not sent to another process"));
  });
}

function send(channel: Channel, message: object): Promise<void> {
  return new Promise((resolve, reject) => {
    if (!channel.send) reject(new Error("the process has no channel"));
    else channel.send(message, (error) => (error ? reject(error) : resolve()));
  });
}

let questions = 0;

/** Asks the other end for metrics. Returns null if it does not answer within this time, in ms. */
export function askForMetrics(channel: Channel, about: string, withinMs: number): Promise<string | null> {
  questions += 1;
  const number = questions;
  return new Promise((resolve) => {
    const end = (text: string | null): void => {
      clearTimeout(timer);
      channel.off("message", read);
      resolve(text);
    };
    const read = (message: unknown): void => {
      if (isAnswer(message) && message.number === number) end(message.text);
    };
    const timer = setTimeout(end, withinMs, null);
    channel.on("message", read);
    send(channel, { sluice: "metrics?", number, about } satisfies Question).catch(() => end(null));
  });
}
