import { type FormEvent, useEffect, useState } from 'react';
import { BUDGET_SCOPES, type Budget, type BudgetInput, SCOPE_WORDS } from '../../../shared/money/ledger.ts';
import { formatNano, NANO_PER_DOLLAR, type Nano, parseDollars } from '../../../shared/money/money.ts';
import { t } from '../../../shared/text/texts.ts';
import {
  readMoney,
  refusalOf,
  replaceParams,
  saveBudget,
  useAction,
  useCall,
  useRoute,
  useStudio,
} from '../../app/index.ts';
import { call } from '../../client/index.ts';
import {
  Button,
  Dialog,
  DialogActions,
  Field,
  MoneyBar,
  plural,
  type Read,
  Reading,
  Refusal,
  Section,
  Select,
  TextAction,
  TextInput,
  WhyOff,
} from '../../ui/index.ts';
import { capOf, countedParts, leftUnder, leftWords, OVER_BUDGET } from '../../words/index.ts';
import { dollarsText } from './figures.ts';
import type { Side } from './side.ts';
import styles from './spend.module.css';

type ReadBudgets = Read<Budget[]> & { reload: () => void };
type WhoseBudgets = Pick<Side, 'play' | 'profileIds' | 'isActive'>;

/**
 * Budgets of the active side are known to the whole window; those of the other side are read. A budget, and what is left of it, counts
 * every gateway of its side, whichever gateway is shown.
 */
export function useBudgets({ play, isActive }: Pick<Side, 'play' | 'isActive'>): ReadBudgets {
  const own = useStudio((state) => state.budgets);
  const ownRead = useStudio((state) => state.moneyRead);
  const ownError = useStudio((state) => state.moneyError);
  const { data, error, reload } = useCall('budgets.list', isActive ? null : { play }, { on: ['ledger.changed'] });
  if (isActive) return { data: ownRead ? own : undefined, error: ownError, reload: () => void readMoney() };
  return { data: data?.budgets, error, reload };
}

/** The budgets of one side: hard ones stop a job before it is claimed, soft ones warn. */
export function Budgets({ read, side }: { read: ReadBudgets; side: WhoseBudgets }) {
  const [editing, setEditing] = useState<Budget | 'new'>();
  const asked = useRoute().params.get('budget');
  useEffect(() => {
    if (asked === null || !read.data) return;
    setEditing((asked === 'day' ? dailyBudget(read.data) : undefined) ?? 'new');
    replaceParams('spend', {});
  }, [asked, read.data]);
  return (
    <>
      <Section title={t`Budgets`} end={<TextAction onClick={() => setEditing('new')}>{t`Add budget`}</TextAction>}>
        {side.profileIds && <p className="t3">{t`All gateways`}</p>}
        <Reading of={read} rows={3}>
          {(budgets) =>
            budgets.length === 0 ? (
              <p className="t2">{t`No budget is set.`}</p>
            ) : (
              <ul className={`num stack gap ${styles.budgets}`}>
                {budgets.map((budget) => (
                  <BudgetLine
                    key={`${budget.scope} ${budget.projectId ?? budget.runId ?? ''}`}
                    budget={budget}
                    onEdit={() => setEditing(budget)}
                  />
                ))}
              </ul>
            )
          }
        </Reading>
      </Section>
      {editing !== undefined && (
        <BudgetDialog
          budget={editing === 'new' ? undefined : editing}
          side={side}
          onSaved={read.reload}
          onClose={() => setEditing(undefined)}
        />
      )}
    </>
  );
}

const dailyBudget = (budgets: readonly Budget[] | undefined) => budgets?.find(({ scope }) => scope === 'day');

/** The hard daily budget in nano-dollars, if set. */
export const dailyStop = (budgets: readonly Budget[] | undefined): Nano | undefined => dailyBudget(budgets)?.hardNano;

const SUGGESTED_NANO = 20 * NANO_PER_DOLLAR;

interface SuggestedBudgetProps {
  budgets: ReadBudgets;
  /** The highest daily charge of the period, nano-dollars. */
  highest: Nano;
  period: string;
  side: WhoseBudgets;
}

/** Suggests a budget for real money if there is no daily one. */
export function SuggestedBudget({ budgets, highest, period, side }: SuggestedBudgetProps) {
  const [isOff, setOff] = useState(false);
  const { refusal, isBusy, run } = useAction();
  const day = dailyBudget(budgets.data);
  if (!budgets.data || (day && capOf(day) !== undefined) || side.play || isOff) return null;
  const suggest = async () => {
    const answer = await run(setBudget({ scope: 'day', hardNano: SUGGESTED_NANO }, side), t`Nothing was saved.`);
    if (answer.ok) budgets.reload();
  };
  return (
    <div className="row pad bottom-line">
      <b>{t`No daily budget.`}</b>
      <span className="t2 grow">
        {highest > 0 && t`Your highest day, ${period}: ${formatNano(highest)}.`} {OVER_BUDGET.day}
      </span>
      <Refusal text={refusal} />
      <Button variant="ghost" onClick={() => setOff(true)}>{t`Not now`}</Button>
      <Button busy={isBusy} onClick={() => void suggest()}>{t`Set ${formatNano(SUGGESTED_NANO)} a day`}</Button>
    </div>
  );
}

/** The window's state is that of the active side; an answer about another side must not replace it. */
const setBudget = (input: BudgetInput, side: WhoseBudgets, play = side.play) =>
  side.isActive ? saveBudget(input) : call('budgets.set', { ...input, play });

function useProjectName(id: string | undefined): string | undefined {
  return useStudio((state) => state.projects.find((project) => project.id === id)?.name);
}

function BudgetLine({ budget, onEdit }: { budget: Budget; onEdit: () => void }) {
  const project = useProjectName(budget.projectId);
  const { hardNano, softNano, used, countedNano } = budget;
  const limit = capOf(budget) ?? 0;
  const left = leftUnder(limit, used, countedNano);
  const notes = [hardNano === undefined ? t`Only warn` : t`Stop`, countedNano !== undefined && t`Lower price`];
  return (
    <li>
      <div className="row">
        <b className="cut">{project ?? SCOPE_WORDS[budget.scope]}</b>
        <span className="t3">{notes.filter(Boolean).join(', ')}</span>
        <span className="grow" />
        {used.unpriced > 0 && <span className="t3">{t`${plural(used.unpriced, 'job')} without a price`}</span>}
        <span className="nums">{leftWords(left)}</span>
        <button type="button" className="lnk" onClick={onEdit} aria-label={t`Edit the budget of ${formatNano(limit)}`}>
          {t`of ${formatNano(limit)}`}
        </button>
      </div>
      <MoneyBar totals={countedParts(budget)} limitNano={limit} />
      {hardNano !== undefined && softNano !== undefined && (
        <p className={`t3 ${styles.warns}`}>{t`Warns at ${formatNano(softNano)}`}</p>
      )}
    </li>
  );
}

/** An overnight run gets its budget from its plan, so it can only be changed here. */
const scopesFor = (budget: Budget | undefined): readonly Budget['scope'][] =>
  budget ? BUDGET_SCOPES : BUDGET_SCOPES.filter((scope) => scope !== 'run');

interface BudgetForm {
  scope: Budget['scope'];
  projectId?: string;
  hard: string;
  soft: string;
}

/** The typed budget as the studio takes it; or the field and the rule it breaks. */
function budgetInput(
  form: BudgetForm,
): { input: BudgetInput } | { field: 'hard' | 'soft' | 'projectId'; error: string } {
  const amount = (text: string) => (text.trim() === '' ? null : parseDollars(text));
  const [hardNano, softNano] = [amount(form.hard), amount(form.soft)];
  if (hardNano === undefined) return { field: 'hard', error: t`Stop at: must be an amount such as 12.50.` };
  if (softNano === undefined) return { field: 'soft', error: t`Warn at: must be an amount such as 12.50.` };
  if (hardNano === null && softNano === null) return { field: 'hard', error: t`Enter Stop at or Warn at.` };
  if (form.scope === 'run' && hardNano === null)
    return { field: 'hard', error: t`Stop at: an overnight run needs one.` };
  if (hardNano !== null && softNano !== null && softNano > hardNano) {
    return { field: 'soft', error: t`Warn at: must not be above Stop at.` };
  }
  if (form.scope !== 'project') return { input: { scope: form.scope, hardNano, softNano } };
  if (!form.projectId) return { field: 'projectId', error: t`Choose a project.` };
  return { input: { scope: 'project', projectId: form.projectId, hardNano, softNano } };
}

interface BudgetDialogProps {
  budget: Budget | undefined;
  side: WhoseBudgets;
  onSaved: () => void;
  onClose: () => void;
}

function BudgetDialog({ budget, side, onSaved, onClose }: BudgetDialogProps) {
  const [form, setForm] = useState<BudgetForm>({
    scope: budget?.scope ?? 'day',
    projectId: budget?.projectId,
    hard: dollarsText(budget?.hardNano),
    soft: dollarsText(budget?.softNano),
  });
  const [fault, setFault] = useState<{ field?: string; error: string }>();
  const change = (part: Partial<BudgetForm>) => setForm({ ...form, ...part });
  const send = async (input: BudgetInput) => {
    const answer = await setBudget(input, side, budget?.play);
    if (!answer.ok) return setFault({ error: refusalOf(answer.error, t`Nothing was saved.`) });
    if (!side.isActive) onSaved();
    onClose();
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    const judged = budgetInput(form);
    if ('error' in judged) setFault(judged);
    else void send(judged.input);
  };
  const remove = () =>
    void send({
      scope: form.scope,
      ...(form.projectId ? { projectId: form.projectId } : {}),
      hardNano: null,
      softNano: null,
    });
  const errorAt = (field: string) => (fault?.field === field ? fault.error : undefined);
  return (
    <Dialog open onClose={onClose} title={budget ? t`Change budget` : t`Add budget`} width={380}>
      <form className="col gap" onSubmit={save}>
        <ScopeFields budget={budget} form={form} change={change} errorAt={errorAt} />
        <CapFields form={form} change={change} errorAt={errorAt} />
        {fault && !fault.field ? <p className="err">{fault.error}</p> : <WhatCounts scope={form.scope} />}
        <div className="row end">
          {budget && budget.scope !== 'run' && (
            <Button variant="ghost-danger" onClick={remove}>
              {t`Remove`}
            </Button>
          )}
          <span className="grow" />
          <DialogActions type="submit" onClose={onClose}>
            {t`Save`}
          </DialogActions>
        </div>
      </form>
    </Dialog>
  );
}

interface BudgetFieldsProps {
  form: BudgetForm;
  change: (part: Partial<BudgetForm>) => void;
  errorAt: (field: string) => string | undefined;
}

/** What a budget applies to; fixed once the budget is set. */
function ScopeFields({ budget, form, change, errorAt }: BudgetFieldsProps & { budget: Budget | undefined }) {
  const projects = useStudio((state) => state.projects);
  return (
    <div className="g2">
      <Field label={t`For each`}>
        <Select
          options={scopesFor(budget).map((value) => ({ value, label: SCOPE_WORDS[value] }))}
          value={form.scope}
          onValue={(scope) => change({ scope })}
          disabled={budget !== undefined}
        />
      </Field>
      {form.scope === 'project' && (
        <Field label={t`Project`} error={errorAt('projectId')}>
          <Select
            options={projects.map(({ id, name }) => ({ value: id, label: name }))}
            value={form.projectId ?? null}
            onValue={(projectId) => change({ projectId })}
            disabled={budget !== undefined}
          />
        </Field>
      )}
    </div>
  );
}

const WhatCounts = ({ scope }: Pick<BudgetForm, 'scope'>) => (
  <WhyOff>
    {OVER_BUDGET[scope]} {scope !== 'run' && t`Charged, reserved and unconfirmed jobs count.`}
  </WhyOff>
);

const CapFields = ({ form, change, errorAt }: BudgetFieldsProps) => (
  <div className="g2">
    <Field label={t`Stop at`} error={errorAt('hard')}>
      <TextInput value={form.hard} onValue={(hard) => change({ hard })} before="$" inputMode="decimal" autoFocus />
    </Field>
    <Field label={t`Warn at`} error={errorAt('soft')}>
      <TextInput value={form.soft} onValue={(soft) => change({ soft })} before="$" inputMode="decimal" />
    </Field>
  </div>
);
