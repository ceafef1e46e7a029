/**
 * Records what the cases of a run send and receive, and lists the parts of the document that none of them has tested: operations,
 * parameters, media types, responses and their headers.
 *
 * A parameter or a request body counts as tested when a request with it succeeds: a refused one only shows that it is checked.
 */
import {
  type ContractDocument,
  documentedStatus,
  type Operation,
  objectOf,
  type Parameter,
} from '../apis/contract-document.ts';
import type { ReceivedResponse } from './response-validator.ts';
import type { ContractRequest } from './send-request.ts';

/** The record of one API. */
export interface Coverage {
  record(request: ContractRequest, response: ReceivedResponse): void;
  /**
   * Lists the untested parts, such as `getAsset query fields`, of one operation or of all. An operation that was never sent and a
   * response that was never received are listed without their own parts.
   */
  untested(operation?: string): readonly string[];
}

interface Exchange {
  readonly request: ContractRequest;
  readonly response: ReceivedResponse;
  /** The key of the response in the document. */
  readonly status: string | undefined;
}

/** A part of an operation; `within` names the part without which it cannot be tested. */
interface Part {
  readonly name: string;
  readonly within?: string;
  readonly isIn: (exchange: Exchange) => boolean;
}

/** Creates the record for a document. */
export function createCoverage(document: ContractDocument): Coverage {
  const left = new Map(
    document.operations.map((operation) => [operation.id, partsOf(operation, document)] as const),
  );
  return {
    record(request, response) {
      const operation = document.operationOf(request.method, request.path);
      if (!operation) return;
      const status = documentedStatus(operation, response.status);
      const parts = left.get(operation.id) ?? [];
      const untested = parts.filter((part) => !part.isIn({ request, response, status }));
      left.set(operation.id, untested);
    },
    untested: (only) =>
      [...left]
        .filter(([id]) => only === undefined || id === only)
        .flatMap(([id, parts]) => outermost(parts).map(({ name }) => `${id} ${name}`.trim())),
  };
}

/** The name of the part that any request of an operation tests. */
const anyRequest = '';

function outermost(parts: readonly Part[]): readonly Part[] {
  const names = new Set(parts.map(({ name }) => name));
  return parts.filter(({ within }) => within === undefined || !names.has(within));
}

function partsOf(operation: Operation, document: ContractDocument): readonly Part[] {
  const { parameters, bodyTypes, responses } = operation;
  const canSucceed = [...responses.keys()].some((status) => status < '400' || status === 'default');
  const inSuccess = (isSent: (request: ContractRequest) => boolean): Part['isIn'] => {
    return ({ request, response }) => isSent(request) && (response.status < 400 || !canSucceed);
  };
  const inner: readonly Part[] = [
    ...parameters.map((parameter) => ({
      name: `${parameter.in} ${parameter.name}`,
      isIn: inSuccess((request) => hasParameter(request, parameter)),
    })),
    ...bodyTypes.map((type) => ({
      name: `body ${type}`,
      isIn: inSuccess((request) => hasBody(request, type)),
    })),
    ...[...responses].flatMap(([status, pointer]) => partsOfResponse(status, pointer, document)),
  ];
  return [{ name: anyRequest, isIn: () => true }, ...inner.map((part) => ({ within: anyRequest, ...part }))];
}

function partsOfResponse(status: string, pointer: string, document: ContractDocument): readonly Part[] {
  const { headers, content } = document.follow(document.at(pointer));
  const part = (name: string, isIn: (response: ReceivedResponse) => boolean): Part => ({
    name: `${status} ${name}`,
    within: status,
    isIn: (exchange) => exchange.status === status && isIn(exchange.response),
  });
  return [
    { name: status, isIn: (exchange) => exchange.status === status },
    ...Object.keys(objectOf(headers)).map((name) =>
      part(`header ${name}`, (response) => response.headers[name.toLowerCase()] !== undefined),
    ),
    ...Object.keys(objectOf(content)).map((type) =>
      part(type, (response) => mediaTypeOf(response.headers['content-type']) === type),
    ),
  ];
}

function hasParameter(request: ContractRequest, { name, in: place }: Parameter): boolean {
  if (place === 'query') return request.query?.some(([sent]) => sent === name) ?? false;
  return place === 'path' || (place === 'header' && headerOf(request, name) !== undefined);
}

function hasBody(request: ContractRequest, type: string): boolean {
  if (request.body === undefined && request.raw === undefined) return false;
  const ownType = request.raw === undefined ? 'application/json' : undefined;
  return type === '*/*' || mediaTypeOf(headerOf(request, 'Content-Type') ?? ownType) === type;
}

function headerOf({ headers = {} }: ContractRequest, wanted: string): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === wanted.toLowerCase())?.[1];
}

const mediaTypeOf = (header: string | undefined) => header?.split(';')[0]?.trim();
