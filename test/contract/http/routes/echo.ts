/** A content type with a field of every kind and no constraints, and operations that return their variables. */
import { expect } from 'vitest';
import type { RouteCall, RoutesContext } from './routes-context.ts';

export const echoSdl = `
type Echo @contentType(class: "test.Echo") {
  text: String
  html: RichText
  link: Url
  name: ID
  int: Int
  float: Float
  at: EpochMillis
  flag: Boolean
  level: EchoLevel
  json: JSON
  texts: [String!]
  ints: [Int!]
  levels: [EchoLevel!]
  inner: EchoInner
  inners: [EchoInner!]
}
type Strict @contentType(class: "test.Strict") {
  title: String! @indexed
  h: Int! @default(value: 3) @indexed
  tags: [String!]
}
enum EchoLevel { LOW HIGH }
type EchoInner { text: String! int: Int texts: [String!] inner: EchoInner inners: [EchoInner!] }
`;

const fields = `text html link name int float at flag level json texts ints levels
  inner { ...Inner inner { ...Inner inner { ...Inner inner { ...Inner inner { ...Inner } } } } inners { ...Inner } }
  inners { ...Inner inners { ...Inner } }`;

const fragment = 'fragment Inner on EchoInner { text int texts }';

/** One variable of each kind. */
const echo = `mutation Echo(
  $text: String, $html: RichText, $link: Url, $name: ID, $int: Int, $float: Float, $at: EpochMillis, $flag: Boolean
  $level: EchoLevel, $json: JSON, $texts: [String!], $ints: [Int!], $levels: [EchoLevel!]
  $inner: EchoInnerInput, $inners: [EchoInnerInput!]
) {
  echo: createEcho(input: {
    text: $text, html: $html, link: $link, name: $name, int: $int, float: $float, at: $at, flag: $flag
    level: $level, json: $json, texts: $texts, ints: $ints, levels: $levels, inner: $inner, inners: $inners
  }) { ${fields} }
} ${fragment}`;

/** One input with a field of each kind, and variables with defaults. */
const echoInput = `mutation EchoInput($input: CreateEchoInput!) {
  echo: createEcho(input: $input) { ${fields} }
} ${fragment}`;

/** Two required variables, and some with defaults. */
const echoSome = `mutation EchoSome(
  $text: String!, $ints: [Int!]!, $level: EchoLevel! = HIGH, $int: Int = 7, $inner: EchoInnerInput = { text: "default" }
) {
  echo: createEcho(input: { text: $text, ints: $ints, level: $level, int: $int, inner: $inner }) { ${fields} }
} ${fragment}`;

/** Mappings of the operations: `/echo`, `/input` and `/some`. */
export function echoMappings(methods: readonly string[]): object[] {
  return [
    { name: 'Echo', query: echo, methods },
    { name: 'Input', query: echoInput, methods },
    { name: 'Some', query: echoSome, methods },
  ];
}

/** Calls of those mappings, by GET unless there is a body. */
export function createEchoCalls(call: RoutesContext['call']) {
  const ask = (path: string, sent: RouteCall | undefined, method = sent ? 'POST' : 'GET') =>
    call(method, path, sent);

  /** Returns the variables that the operation received. */
  async function echoOf(path: string, sent?: RouteCall, method?: string) {
    const { status, body } = await ask(path, sent, method);
    expect([status, body.errors]).toEqual([200, undefined]);
    return body.data.echo;
  }

  /** Returns the status of a refusal, its code, its parameter and its reason. */
  async function refusalOf(path: string, sent?: RouteCall, method?: string) {
    const { status, body } = await ask(path, sent, method);
    const [{ message, extensions }, ...others] = body.errors;
    expect([body.data, others]).toEqual([undefined, []]);
    return { status, code: extensions.code, parameter: extensions.path, message };
  }

  return { echoOf, refusalOf };
}

/** Builds the expected refusal of a parameter. */
export function invalid(parameter: string, reason: string | RegExp): object {
  const message = typeof reason === 'string' ? `"${parameter}" ${reason}` : expect.stringMatching(reason);
  return { status: 400, code: 'invalid_parameter', parameter, message };
}
