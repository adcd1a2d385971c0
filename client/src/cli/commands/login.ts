import { SluiceError } from "../../errors.js";
import { Sluice } from "../../sluice.js";
import type { Command } from "../command.js";
import {
  type Credentials,
  DEFAULT_URL,
  environmentOf,
  givenCredentials,
  isReadableOnTheWay,
  parseKey,
  parseUrl,
  removeCredentials,
  storeCredentials,
} from "../credentials.js";
import { CommandFailure } from "../failure.js";
import type { Terminal } from "../terminal.js";

/** Calls the service with the key. A limited key may be refused this call, but not as unknown. */
async function verify(credentials: Credentials, signal: AbortSignal): Promise<void> {
  try {
    await new Sluice(credentials).wallets.list({ signal });
  } catch (error) {
    if (!(error instanceof SluiceError && error.code === "forbidden")) throw error;
  }
}

async function askCredentials(terminal: Terminal, url: string | undefined): Promise<Credentials> {
  const typed = url ?? (await terminal.ask(`Address of the service [${DEFAULT_URL}]: `)).trim();
  const baseUrl = parseUrl(typed || DEFAULT_URL);
  const publicKey = (await terminal.ask("Public key (pk_…): ")).trim();
  const secretKey = (await terminal.ask("Secret key (sk_…, not shown): ", true)).trim();
  return { baseUrl, ...parseKey(`${publicKey}:${secretKey}`) };
}

async function readCredentials(terminal: Terminal, url: string | undefined, fromInput: boolean): Promise<Credentials> {
  if (fromInput) return { baseUrl: parseUrl(url ?? DEFAULT_URL), ...parseKey(await terminal.readInput()) };
  const given = givenCredentials(terminal.env);
  if (given) return url === undefined ? given : { ...given, baseUrl: parseUrl(url) };
  if (!terminal.isInteractive)
    throw new CommandFailure("usage", "Nobody can be asked here: use --key-stdin, or set SLUICE_API_KEY=pk_…:sk_….");
  return askCredentials(terminal, url);
}

export const login: Command = {
  name: "login",
  words: [],
  summary: "Check an API key and store it for the other commands",
  options: {
    url: { value: "URL", help: `address of the service; ${DEFAULT_URL} if omitted` },
    "key-stdin": { value: null, help: "read pk_…:sk_… from standard input" },
  },
  run: async (terminal, given) => {
    const credentials = await readCredentials(terminal, given.value("url"), given.has("key-stdin"));
    const { baseUrl, publicKey } = credentials;
    if (isReadableOnTheWay(baseUrl)) terminal.say(`${baseUrl} is not encrypted: others on the way can read the key.`);
    await verify(credentials, terminal.signal);
    const file = storeCredentials(terminal.env, credentials);
    const environment = environmentOf(credentials);
    terminal.print(`${publicKey} works at ${baseUrl} (${environment}). It is stored in ${file}.`, {
      base_url: baseUrl,
      public_key: publicKey,
      environment,
      file,
    });
  },
};

export const logout: Command = {
  name: "logout",
  words: [],
  summary: "Remove the stored key; it keeps working elsewhere",
  options: {},
  run: async (terminal) => {
    const removed = removeCredentials(terminal.env);
    terminal.print(removed ? "The stored key is removed." : "No key is stored.", { removed });
  },
};
