// The OpenID provider that members may sign in with, as the operator configured it.

export interface OpenIdSetting {
  /** The issuer identifier, exactly as the provider states it. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Shown on buttons, such as `Acme`. */
  readonly name: string;
  /** True if members sign in only there: neither by password nor by passkey. */
  readonly isOnlyWay: boolean;
  /** True if every sign-in there takes two factors, although the provider does not state it (`amr`). */
  readonly alwaysTwoFactors: boolean;
}

/** The variables as they are set. */
export interface OpenIdVariables {
  readonly issuer: string | null;
  readonly clientId: string | null;
  readonly clientSecret: string | null;
  readonly name: string | null;
  readonly isOnlyWay: boolean;
  readonly alwaysTwoFactors: boolean;
}

interface Result {
  readonly setting: OpenIdSetting | null;
  readonly faults: readonly string[];
}

/** Returns the setting; null without a provider. Faults name variables, never values. */
export function openIdSetting({ issuer, clientId, clientSecret, name, ...rest }: OpenIdVariables): Result {
  if (issuer === null) {
    const given = { OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: name };
    const stray = Object.entries(given).filter(([, value]) => value !== null);
    const names = stray.map(([variable]) => variable);
    if (rest.isOnlyWay) names.push("OIDC_ONLY");
    return { setting: null, faults: names.map((variable) => `${variable} is set without OIDC_ISSUER: set both`) };
  }
  const faults: string[] = [];
  if (clientId === null) faults.push("OIDC_CLIENT_ID is missing: it is required with OIDC_ISSUER");
  if (clientSecret === null) faults.push("OIDC_CLIENT_SECRET is missing: it is required with OIDC_ISSUER");
  if (clientId === null || clientSecret === null) return { setting: null, faults };
  return { setting: { issuer, clientId, clientSecret, name: name ?? "single sign-on", ...rest }, faults };
}
