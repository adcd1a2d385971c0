// A real OpenID provider on loopback (oidc-provider) whose people the spec chooses.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Configuration, Provider } from "oidc-provider";
import type { Variables } from "./service-process";

/** Somebody with an account at the provider. */
interface ProviderPerson {
  readonly email: string;
  readonly isVerified: boolean;
}

export interface OpenIdProvider {
  /** The service's configuration for this provider. */
  readonly env: Variables;
  /** Makes an account; its login is its subject. */
  addPerson(subject: string, person: ProviderPerson): void;
  stop(): Promise<void>;
}

const CLIENT = { id: "sluice", secret: "a secret that the provider knows" };

/** Starts a provider for the service at `baseUrl`. Whoever signs in there types a login and any password. */
export async function startOpenIdProvider(baseUrl: string): Promise<OpenIdProvider> {
  const people = new Map<string, ProviderPerson>();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, configurationOf(people, baseUrl));
  const answer = provider.callback();
  server.on("request", (request, response) => void answer(request, response));
  return {
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret, OIDC_NAME: "Acme" },
    addPerson: (subject, person) => people.set(subject, person),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function configurationOf(people: ReadonlyMap<string, ProviderPerson>, baseUrl: string): Configuration {
  return {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${baseUrl}/api/auth/callback/openid`],
      },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    cookies: { keys: ["the provider's own"] },
    findAccount: (_, subject) => {
      const person = people.get(subject);
      if (!person) return undefined;
      const claims = { sub: subject, email: person.email, email_verified: person.isVerified };
      return { accountId: subject, claims: () => claims };
    },
    // The people of a company are not asked whether their employer's service may know their address.
    loadExistingGrant: async ({ oidc }) => {
      const { client, session, provider } = oidc;
      if (!client || !session?.accountId) return undefined;
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope("openid email");
      await grant.save();
      return grant;
    },
  };
}
