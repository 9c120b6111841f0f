import sys
from pathlib import Path

# Test modules are imported by path (importlib mode): their shared helpers are found through this.
sys.path.insert(0, str(Path(__file__).parent))
