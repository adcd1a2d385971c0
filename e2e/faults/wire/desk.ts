// People who work in the dashboard of a lane's merchant, and the calls that their browsers make.
import { unused } from "../../rest/bodies";
import type { Trial } from "./scenario";
import type { Lane } from "./stage";
import { changesFromNow, unkeyedTrial } from "./unkeyed-trial";

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  /** Of a session, which every web process of the stage accepts. */
  readonly cookie: string;
}

export interface Mutation {
  readonly person: Person;
  readonly input: object;
  /** What the audit log does not tell of the effect. */
  readonly state?: () => Promise<unknown>;
}

interface CallAnswer {
  readonly status: number;
  /** The procedure's result. */
  readonly data: unknown;
  readonly text: string;
}

export interface Desk {
  readonly lane: Lane;
  /** An owner, and others with the roles that they are named after. */
  readonly people: Readonly<Record<"owner" | "secondOwner" | "finance", Person>>;
  /** Creates a member who has chosen a password and signed in. */
  newPerson(roles: string): Promise<Person>;
  /** Gives the people new sessions if theirs may soon end for want of use. */
  staySignedIn(): Promise<void>;
  /** Signs the person in at another browser. */
  signIn(person: Person): Promise<unknown>;
  /** Calls a procedure of the service in the test environment. Throws unless it is answered with 200. */
  call<Data>(person: Person, path: string, input: object): Promise<Data>;
  /** A trial of a mutation that a victim is asked for. */
  trial(path: string, mutation: Mutation): Promise<Trial<CallAnswer>>;
}

/** A session ends after 15 minutes without use. */
const SIGNED_IN_MS = 5 * 60_000;

const SAME_ORIGIN = { "content-type": "application/json", "sec-fetch-site": "same-origin" };

async function post(url: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(url, { method: "POST", headers: { ...SAME_ORIGIN, ...headers }, body: JSON.stringify(body) });
}

function cookiesOf(answer: Response): string[] {
  return answer.headers.getSetCookie().map((cookie) => cookie.split(";")[0] ?? "");
}

/** Signs in as the form does; returns the cookies. */
async function signIn(baseUrl: string, email: string, password: string): Promise<string> {
  const token = await fetch(`${baseUrl}/api/auth/csrf`);
  const { csrfToken } = (await token.json()) as { csrfToken: string };
  const answer = await fetch(`${baseUrl}/api/auth/callback/credentials`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", cookie: cookiesOf(token).join("; ") },
    body: new URLSearchParams({ csrfToken, email, password, json: "true" }).toString(),
    redirect: "manual",
  });
  const cookies = cookiesOf(answer);
  if (!cookies.some((cookie) => cookie.startsWith("sluice.session=")))
    throw new Error(`${email} was not signed in: ${answer.status} ${await answer.text()}`);
  return cookies.join("; ");
}

async function callAt(baseUrl: string, { cookie }: Person, path: string, input: object): Promise<CallAnswer> {
  const answer = await post(`${baseUrl}/api/trpc/${path}`, { environment: "test", ...input }, { cookie });
  const text = await answer.text();
  const body = answer.ok ? (JSON.parse(text) as { result: { data: unknown } }) : null;
  return { status: answer.status, data: body?.result.data ?? null, text };
}

/** Opens the desk of a lane; creates its people. */
export async function openDesk(lane: Lane): Promise<Desk> {
  const { world } = lane.bridge;
  const { baseUrl } = world.service;
  const merchant = ["--merchant", lane.merchant.id];

  async function newPerson(roles: string): Promise<Person> {
    const email = `${unused("person")}@staff.example`;
    const password = unused("password");
    const words = ["members", "create", ...merchant, "--email", email, "--roles", roles];
    const { id, link } = (await world.cli(...words)) as { id: string; link: string };
    const token = new URL(link).hash.slice(1);
    const chosen = await post(`${baseUrl}/api/one-time-link/choose-password`, { token, password });
    if (!chosen.ok) throw new Error(`the choice of a password was answered with ${chosen.status}`);
    return { id, email, password, cookie: await signIn(baseUrl, email, password) };
  }

  async function call<Data>(person: Person, path: string, input: object): Promise<Data> {
    const answer = await callAt(baseUrl, person, path, input);
    if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
    return answer.data as Data;
  }

  let people = {
    owner: await newPerson("owner"),
    secondOwner: await newPerson("owner"),
    finance: await newPerson("finance"),
  };
  let signedInAt = performance.now();

  async function staySignedIn(): Promise<void> {
    if (performance.now() - signedInAt < SIGNED_IN_MS) return;
    const again = async (person: Person) => ({
      ...person,
      cookie: await signIn(baseUrl, person.email, person.password),
    });
    const { owner, secondOwner, finance } = people;
    people = { owner: await again(owner), secondOwner: await again(secondOwner), finance: await again(finance) };
    signedInAt = performance.now();
  }

  async function trial(path: string, { person, input, state }: Mutation): Promise<Trial<CallAnswer>> {
    const changes = await changesFromNow(lane, lane.merchant.id);
    let internalError: string | null = null;
    return unkeyedTrial({
      async perform({ baseUrl: address }) {
        const answer = await callAt(address, person, path, input);
        if (answer.status === 500) internalError = answer.text;
        if (answer.status !== 200 && answer.status < 500) throw new Error(`${path}: ${answer.status} ${answer.text}`);
        return answer;
      },
      repeat: () => call(person, path, input),
      effects: async () => ({ internalError, changes: await changes(), state: await state?.() }),
      isDone: ({ status }) => status === 200,
    });
  }

  return {
    lane,
    get people() {
      return people;
    },
    newPerson,
    staySignedIn,
    signIn: ({ email, password }) => signIn(baseUrl, email, password),
    call,
    trial,
  };
}
