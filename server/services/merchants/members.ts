// Owns creating members as the operator, who makes the first of them.
import { addMember } from "../members/manage";
import { operatorContext } from "./operator";

export interface NewMemberInput {
  readonly merchantId: string;
  readonly email: string;
  readonly password: string;
  readonly roles: readonly string[];
}

/** Creates a member who can sign in to the dashboard; returns the id. Throws validation_failed and not_found. */
export function createMember({ merchantId, password, ...person }: NewMemberInput): Promise<string> {
  return addMember(operatorContext(merchantId, "test"), person, password);
}
