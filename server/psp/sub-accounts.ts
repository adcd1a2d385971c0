// Gateways of providers that keep an account for each merchant under the operator's account.
import { type AccountGuard, createAccountGuard } from "./account-guard";
import type { CallHistory, Gateway } from "./gateway";

/** Returns one value for each sub-account, and one for the provider's account itself; each is made once. */
export function perAccount<Value>(make: (subAccount: string | null) => Value): (subAccount: string | null) => Value {
  const made = new Map<string | null, Value>();
  return (subAccount) => {
    const known = made.get(subAccount);
    if (known !== undefined) return known;
    const value = make(subAccount);
    made.set(subAccount, value);
    return value;
  };
}

/**
 * Returns the guard of a sub-account: `find` returns the id that the provider names in answer to a call for it. The key must belong
 * to the operator's account first, since another platform can have the same sub-account and see other objects in it.
 */
function createSubAccountGuard(
  operator: AccountGuard,
  subAccount: string,
  find: (signal: AbortSignal) => Promise<string | null>,
): AccountGuard {
  const own = createAccountGuard(subAccount, find);
  return {
    isSubAccount: true,
    note: (found) => own.note(found),
    async prove(signal) {
      const proof = await operator.prove(signal);
      return proof === "same" ? own.prove(signal) : proof;
    },
  };
}

/** The connection to an account, and what proves that the account is the one that is meant. */
export interface GuardedClient<Client> {
  readonly client: Client;
  readonly guard: AccountGuard;
}

/**
 * Returns the guarded client of the operator's account or of a sub-account of it, each made once. `findAccount` returns the id
 * that the provider names in answer to a call of the client, or why it names none.
 */
export function guardedClients<Client>(
  account: string,
  clientOf: (subAccount: string | null) => Client,
  findAccount: (client: Client, signal: AbortSignal) => Promise<unknown>,
): (subAccount: string | null) => GuardedClient<Client> {
  const guardedOf = perAccount((subAccount): GuardedClient<Client> => {
    const client = clientOf(subAccount);
    const find = async (signal: AbortSignal) => {
      const found = await findAccount(client, signal);
      return typeof found === "string" ? found : null;
    };
    const guard =
      subAccount === null
        ? createAccountGuard(account, find)
        : createSubAccountGuard(guardedOf(null).guard, subAccount, find);
    return { client, guard };
  });
  return guardedOf;
}

type Calls = Required<
  Pick<
    Gateway,
    | "createPayment"
    | "queryPayment"
    | "cancelPayment"
    | "createPayout"
    | "queryPayout"
    | "createTopup"
    | "queryTopup"
    | "cancelTopup"
    | "createRefund"
    | "queryRefund"
  >
>;

/**
 * Returns a gateway that makes each call by the gateway of the request's sub-account. What the gateway of the operator's account
 * offers, all of them offer.
 */
export function bySubAccount(
  subAccounts: Readonly<Record<string, string>> | undefined,
  gatewayOf: (subAccount: string | null) => Gateway,
): Gateway {
  const main = gatewayOf(null);
  const routed = <Name extends keyof Calls>(name: Name): Pick<Gateway, Name> => {
    if (main[name] === undefined) return {} as Pick<Gateway, Name>;
    const call = (request: CallHistory, ...more: unknown[]) => {
      const run = gatewayOf(request.subAccount)[name] as (...given: unknown[]) => unknown;
      return run(request, ...more);
    };
    return { [name]: call } as unknown as Pick<Gateway, Name>;
  };
  return {
    ...main,
    ...(subAccounts === undefined ? {} : { subAccounts }),
    ...routed("createPayment"),
    ...routed("queryPayment"),
    ...routed("cancelPayment"),
    ...routed("createPayout"),
    ...routed("queryPayout"),
    ...routed("createTopup"),
    ...routed("queryTopup"),
    ...routed("cancelTopup"),
    ...routed("createRefund"),
    ...routed("queryRefund"),
  };
}
