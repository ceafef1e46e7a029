/**
 * All commands, in the order in which they are listed.
 */
import type { Command } from '../command.ts';
import { auditCommands } from './audit.ts';
import { backupCommands } from './backup.ts';
import { clientCommands } from './client.ts';
import { clockCommands } from './clock.ts';
import { codegenCommands } from './codegen.ts';
import { completionCommands } from './completion.ts';
import { configurationCommands } from './configuration.ts';
import { contractCommands } from './contract.ts';
import { demoCommands } from './demo.ts';
import { doctorCommands } from './doctor.ts';
import { documentsCommands } from './documents.ts';
import { endpointCommands } from './endpoint.ts';
import { exportCommands } from './export.ts';
import { filesCommands } from './files.ts';
import { historyCommands } from './history.ts';
import { importCommands } from './import.ts';
import { initCommands } from './init.ts';
import { mappingsCommands } from './mappings.ts';
import { releasesCommands } from './releases.ts';
import { runsCommands } from './runs.ts';
import { serveCommands } from './serve.ts';
import { trustedDocumentsCommands } from './trusted-documents.ts';
import { typesCommands } from './types.ts';
import { userCommands } from './user.ts';
import { verifyCommands } from './verify.ts';
import { webhookCommands } from './webhook.ts';

/** The commands. Their descriptions are loaded with the command line, what they do only when it is called. */
export const allCommands: readonly Command[] = [
  ...auditCommands,
  ...serveCommands,
  ...demoCommands,
  ...initCommands,
  ...typesCommands,
  ...documentsCommands,
  ...clientCommands,
  ...userCommands,
  ...endpointCommands,
  ...mappingsCommands,
  ...trustedDocumentsCommands,
  ...webhookCommands,
  ...configurationCommands,
  ...codegenCommands,
  ...contractCommands,
  ...exportCommands,
  ...historyCommands,
  ...importCommands,
  ...backupCommands,
  ...verifyCommands,
  ...clockCommands,
  ...filesCommands,
  ...releasesCommands,
  ...runsCommands,
  ...doctorCommands,
  ...completionCommands,
];
