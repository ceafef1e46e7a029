/**
 * Judges answers by an OpenAPI document: the status must be documented, the body must fit its schema, the media type and the
 * required headers must be there. A ledger keeps what was seen, so that what was never given can be told. What an answer says of
 * itself, that stored content does not fit its type, is not held against it.
 */
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Json, JsonObject } from '../../model/content-type.ts';
import { type ContractDocument, type Operation, objectOf } from '../apis/contract-document.ts';
import { findUnfitAssets, isTold, isWithin } from './unfit-findings.ts';

/** An answer as it was received; header names are in lower case, and a body that is no JSON is its text. */
export interface ReceivedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The values of its `Set-Cookie` headers, of which an answer may have several. */
  readonly cookies?: readonly string[];
  readonly body: unknown;
}

/** One documented answer. */
export interface DocumentedAnswer {
  readonly operation: Operation;
  readonly status: string;
}

/** Judges answers by one document. */
export interface Judge {
  /** What is wrong with an answer by the document, each as a sentence; nothing when it is sound. */
  judge(method: string, path: string, answer: ReceivedAnswer): readonly string[];
  /** What is wrong with a value by the schema at a pointer. */
  problemsOf(pointer: string, value: unknown): readonly string[];
  /** The documented answers that were never seen. */
  unseen(): readonly DocumentedAnswer[];
}

/** Makes the judge of a document's answers. */
export function createJudge(document: ContractDocument): Judge {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv, ['uuid', 'uri', 'int32', 'int64', 'double', 'date-time']);
  // Says how a text is shown, not which it may be.
  ajv.addFormat('password', true);
  ajv.addSchema(document.source, 'document');
  const seen = new Set<string>();

  function judge(method: string, path: string, answer: ReceivedAnswer): readonly string[] {
    const operation = document.operationOf(method.toUpperCase(), path);
    if (!operation) return [`${method} ${path} is outside the document`];
    const pointer = operation.responses.get(String(answer.status));
    if (pointer === undefined) {
      const documented = [...operation.responses.keys()].join(', ');
      return [`${operation.id}: status ${answer.status} is not documented; there are ${documented}`];
    }
    seen.add(`${operation.id} ${answer.status}`);
    const response = document.follow(document.at(pointer));
    const headers = headerProblems(response, answer);
    return method.toUpperCase() === 'HEAD'
      ? headers
      : [...headers, ...bodyProblems(response, pointer, answer)];
  }

  function headerProblems(response: JsonObject, { headers }: ReceivedAnswer): string[] {
    return Object.entries(objectOf(response.headers)).flatMap(([name, node]) => {
      const header = document.follow(node);
      const value = headers[name.toLowerCase()];
      if (value === undefined) return header.required === true ? [`the header ${name} is missing`] : [];
      const schema = document.follow(header.schema);
      return ajv.validate(schema, fromText(value, schema))
        ? []
        : [`the header ${name} is ${JSON.stringify(value)}: ${ajv.errorsText()}`];
    });
  }

  function bodyProblems(response: JsonObject, pointer: string, answer: ReceivedAnswer): readonly string[] {
    const content = objectOf(response.content);
    const types = Object.keys(content);
    if (types.length === 0)
      return answer.body === undefined ? [] : ['there is a body, and none is documented'];
    const type = answer.headers['content-type']?.split(';')[0]?.trim() ?? 'none';
    if (!types.includes(type)) return [`the media type is ${type}, not ${types.join(' or ')}`];
    return problemsOf(`${pointer}/content/${type.replaceAll('/', '~1')}/schema`, answer.body);
  }

  function problemsOf(pointer: string, value: unknown): readonly string[] {
    const findings = findingsOf(pointer, value);
    // An answer that breaks no rule need not be looked at for what it says of itself.
    const unfit = findings.length > 0 ? findUnfitAssets(value) : [];
    const untold = [
      ...findings.filter((finding) => !unfit.some((one) => isWithin(finding, one))),
      ...unfit.flatMap((one) =>
        findingsOf(schemaOfAsset(one.asset), one.asset)
          .filter((finding) => !isTold(finding, one))
          .map((finding) => ({ ...finding, instancePath: one.pointer + finding.instancePath })),
      ),
    ];
    const found = untold.map(
      ({ instancePath, message, params }) =>
        `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`,
    );
    return [...new Set(found)].slice(0, 10);
  }

  function findingsOf(pointer: string, value: unknown): readonly ErrorObject[] {
    const validate = ajv.getSchema(`document${pointer}`);
    if (!validate) throw new Error(`there is no schema at ${pointer}`);
    return validate(value) ? [] : (validate.errors ?? []);
  }

  /** The schema of the asset's own type: those of the other types do not fit it anyway. */
  function schemaOfAsset({ _type: type }: JsonObject): string {
    const pointer = '#/components/schemas/Asset';
    const { mapping } = objectOf(objectOf(document.at(pointer)).discriminator);
    return String(objectOf(mapping)[String(type)] ?? pointer);
  }

  function unseen(): readonly DocumentedAnswer[] {
    return document.operations.flatMap((operation) =>
      [...operation.responses.keys()]
        .filter((status) => !seen.has(`${operation.id} ${status}`))
        .map((status) => ({ operation, status })),
    );
  }

  return { judge, problemsOf, unseen };
}

/** A header's text as its schema's type has it. */
function fromText(text: string, { type }: JsonObject): Json {
  if (type === 'integer' || type === 'number') return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  return type === 'boolean' && (text === 'true' || text === 'false') ? text === 'true' : text;
}
