// Three times as many points.
import './oracle.test.ts';
