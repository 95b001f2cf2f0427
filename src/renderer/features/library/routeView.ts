import { VERDICTS } from '../../../shared/verdict.ts';
import { ANY_DATE, DATE_SPANS } from '../../ui/index.ts';
import { type LibraryView, showOnly } from './state.ts';

const NARROWING = ['verdict', 'project', 'model', 'span', 'from', 'to'];

export const isNarrowing = (params: URLSearchParams): boolean => NARROWING.some((name) => params.has(name));

/** Shows just what a link names; what it names wrongly narrows nothing. */
export function narrowTo(params: URLSearchParams): void {
  const asked = params.get('verdict')?.split(',') ?? [];
  const verdict = [...VERDICTS, 'none' as const].filter((one) => asked.includes(one));
  const [projectId, model] = [params.get('project'), params.get('model')];
  const filter: LibraryView['filter'] = {
    ...(verdict.length > 0 ? { verdict } : {}),
    ...(projectId ? { projectId } : {}),
    ...(model ? { models: [model] } : {}),
  };
  const span = DATE_SPANS.find((one) => one === params.get('span')) ?? 'any';
  showOnly(filter, { ...ANY_DATE, span, from: params.get('from') ?? '', to: params.get('to') ?? '' });
}
