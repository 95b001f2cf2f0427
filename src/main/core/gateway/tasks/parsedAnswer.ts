import type { ErrorKind } from '../../../../shared/jobs/job.ts';
import type { AddressContext } from '../addresses/index.ts';
import type { ServiceError } from '../errors/index.ts';
import { type Answer, type Echo, echoOf } from '../exchange/index.ts';
import type { Json } from '../json/index.ts';
import type { Service } from '../service.ts';
import type { FilterNote, PollOutcome, RemoteOutput, RemoteTask, SubmitOutcome } from '../types.ts';
import type { TaskStatus } from './status.ts';

/** Everything in an answer about a task, before it is decided what it means. */
export interface ParsedAnswer {
  taskStatus: TaskStatus;
  outputs: RemoteOutput[];
  id?: string | undefined;
  pollUrl?: string | undefined;
  /** A page of the gateway about the task, named in a text: polled if nothing else is named. */
  page?: string | undefined;
  progress?: number | undefined;
  serviceError?: ServiceError | undefined;
  filtered?: FilterNote | undefined;
  /** The prose in which alone its id stands. */
  prose?: string | undefined;
  /** The id of the chat answer itself. */
  answerId?: string | undefined;
  /** A refusal of content whose kind its form shows. */
  refusal?: Refusal | undefined;
}

export interface Refusal {
  kind: ErrorKind;
  serviceError: ServiceError;
  /** The model has worked, so whether that is billed is open, whatever its words read like. */
  acceptance?: 'open';
}

/** What is different about the tasks of one medium; all else of a task is the same for all ({@link readSubmit}, {@link readPoll}). */
export interface Medium<Parsed extends ParsedAnswer = ParsedAnswer> {
  kind: RemoteTask['kind'];
  /** In sentences. */
  noun: 'video' | 'task';
  /** What a failed task costs where nothing says so: only of videos it is known to be nothing (spec 8). */
  failureCosts: 'no' | 'unknown';
  parse(body: Json, context: AddressContext): Parsed;
  /** What a submit's answer came to that has no result where one is expected; undefined if its task is to be polled. */
  ending(submitted: SubmitAnswer<Parsed>): SubmitOutcome | undefined;
  /** Whether the outputs of a submit's answer are the results, and not previews. */
  isResult(parsed: Parsed, answer: Answer): boolean;
  /** The same of an answer to a poll. */
  isPolledResult(parsed: Parsed): boolean;
  /** Whether an error beside the name of a task, or beside its success, is the end of it. */
  errorEndsTask: boolean;
  /** A task that has succeeded, and whose answer names no file. */
  withoutFile(parsed: Parsed): TaskPollOutcome | undefined;
}

/** A submit's answer and its task, if it names one. */
export interface SubmitAnswer<Parsed extends ParsedAnswer> {
  service: Service;
  answer: Answer;
  parsed: Parsed;
  id: string | undefined;
  requestId: string | undefined;
}

/** `finished`: the task has succeeded, but the address of its file has still to be found. */
export type TaskPollOutcome = PollOutcome | { type: 'finished' };

/** An address that our own request contained is no result. */
export const contextOf = ({ profile }: Service, echo: Echo): AddressContext => ({
  base: profile.baseUrl,
  isEcho: echo.has,
});

export const contextOfTask = (service: Service, { ownUris = [] }: RemoteTask): AddressContext =>
  contextOf(service, echoOf(ownUris));
