"""What every Celery worker reads: `dagster_celery.app` takes a module of this name from the Python path."""

import os

# a worker imports the code of its runs when it starts, not in the first run of each of its processes, where it takes 2 s of processor time
imports = ("legal_pipeline.definitions", "legal_pipeline.defs.storage", "qdrant_edge")

broker_url = os.environ["DAGSTER_CELERY_BROKER_URL"]
result_backend = os.environ["DAGSTER_CELERY_BACKEND_URL"]

# a run may take hours: Redis would hand an unacknowledged one to a second worker after one
broker_transport_options = {"visibility_timeout": 86400}
result_expires = 86400

# a run waits in the queue for a free worker and not in the hands of a busy one
worker_prefetch_multiplier = 1
