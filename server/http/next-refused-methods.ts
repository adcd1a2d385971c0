// Every method that Next routes. A route file re-exports all of them and exports the methods of its path, which take
// precedence. Otherwise Next would answer the others itself, outside the envelope of the API.
export {
  answer as DELETE,
  answer as GET,
  answer as HEAD,
  answer as OPTIONS,
  answer as PATCH,
  answer as POST,
  answer as PUT,
} from "./next-host";
