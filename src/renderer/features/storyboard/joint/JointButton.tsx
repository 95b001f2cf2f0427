import type { ShotView } from '../model/view.ts';
import { JointShape } from './jointShapes.tsx';
import { jointId, openJoint, useJointView } from './useJoint.ts';

/**
 * The joint between two cards: how the shot joins the one before, dashed where its take does not; pressed, the choice of joints. It stands
 * in a list of shots, so that keys and screen readers have it in the inspector and by its shortcut instead.
 */
export function JointButton({ view: { joint, shot, state, number } }: { view: ShotView }) {
  const isOpen = useJointView(({ jointOf }) => jointOf === shot.id);
  if (!joint) return null;
  const note = joint.isStale ? ', stale' : state.isKept ? ', kept as it is' : '';
  return (
    <div className="jw" aria-hidden="true">
      <button
        type="button"
        id={jointId(shot.id)}
        tabIndex={-1}
        className={`joint ${joint.isStale ? 'stale' : ''}`}
        title={`Joint to shot ${number}: ${joint.joint}${note}`}
        onClick={() => openJoint(isOpen ? undefined : shot.id)}
      >
        <JointShape joint={joint.joint} />
      </button>
      <span className={joint.isStale ? 't2' : 't3'}>{joint.joint}</span>
    </div>
  );
}
