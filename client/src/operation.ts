// The types of an operation's parts, from the OpenAPI document.
import type { WithMoney } from "./money.js";
import type { operations } from "./openapi.generated.js";

type OperationId = keyof operations;

type Json<Part> = Part extends { content: { "application/json": infer Value } } ? Value : never;
type Answers<Id extends OperationId> = operations[Id]["responses"];

/** The answer of a successful call. */
export type Answer<Id extends OperationId> = WithMoney<Json<Answers<Id>[keyof Answers<Id> & (200 | 201 | 202)]>>;

/** The body of a request. */
export type Body<Id extends OperationId> = operations[Id] extends { requestBody?: infer Given }
  ? WithMoney<Json<NonNullable<Given>>>
  : never;

/** The parameters of a request's query. */
export type Query<Id extends OperationId> = NonNullable<operations[Id]["parameters"]["query"]>;
